import { type ReactElement, useState } from 'react';
import { ModelList } from '../../../features/models/model-list.tsx';
import { usePickableModels } from '../../../state/catalog/catalog.ts';
import { PopOver } from '../../../ui/controls/pop-over.tsx';

interface ModelMenuProps {
  heading: string;
  /** Marked as the one that wrote what is there. */
  used?: string | undefined;
  /** Not offered. */
  without?: string | undefined;
  onChoose: (model: string) => void;
  /** The button that opens it. */
  trigger: ReactElement;
}

/** A choice of the models there are; nothing where there is no other one. */
export function ModelMenu(props: ModelMenuProps): ReactElement | null {
  const { heading, used, without, onChoose, trigger } = props;
  const models = usePickableModels();
  const [open, setOpen] = useState(false);
  if (models.length < 2) return null;
  return (
    <PopOver trigger={trigger} label={heading} open={open} onOpenChange={setOpen} width="w-80">
      {(close) => (
        <>
          <p className="px-2.5 pt-1 pb-2 text-xs text-muted">{heading}</p>
          <ModelList
            models={models.filter(({ id }) => id !== without)}
            chosen={used}
            onChoose={(model) => {
              onChoose(model);
              close();
            }}
          />
        </>
      )}
    </PopOver>
  );
}
