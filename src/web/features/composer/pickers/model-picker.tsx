import { Cpu } from 'lucide-react';
import { type ReactElement, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { loadModels, useCatalog, usePickableModels } from '../../../state/catalog/catalog.ts';
import { useChatSettings } from '../../../state/chat/use-chat-settings.ts';
import { PopOver } from '../../../ui/controls/pop-over.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { ModelList, plainName, ScriptedMark } from '../../models/model-list.tsx';
import { Parameters } from '../../models/parameters.tsx';
import { openPanel, usePanel } from '../commands/commands.ts';
import { PickerButton } from './picker-button.tsx';

/** Chooses the model of the conversation, and its parameters. */
export function ModelPicker({ topicId }: { topicId: string | null }): ReactElement {
  const t = useTranslations('composer');
  const open = usePanel(({ panel }) => panel === 'model');
  const setOpen = (next: boolean) => openPanel('model', next);
  useFreshModels(open);
  const models = useCatalog((state) => state.models);
  const settings = useChatSettings(topicId);
  const offered = usePickableModels(settings.model);
  const current = models.find(({ id }) => id === settings.model);
  const trigger = (
    <PickerButton icon={<Cpu />} label={t('model')} data-testid="model-picker">
      <span className="truncate">{current ? plainName(current) : settings.model}</span>
      {current?.scripted && <ScriptedMark />}
    </PickerButton>
  );
  return (
    <PopOver trigger={trigger} label={t('model')} open={open} onOpenChange={setOpen} width="w-96">
      {(close) => (
        <>
          <ModelList
            models={offered}
            chosen={settings.model}
            onChoose={(model) => {
              settings.change({ model });
              close();
            }}
          />
          <Parameters value={settings.parameters} onChange={settings.change} />
        </>
      )}
    </PopOver>
  );
}

/** What was tried out in the background since is worth knowing now. */
function useFreshModels(open: boolean): void {
  useEffect(() => {
    if (open) loadModels().catch(showFailure);
  }, [open]);
}
