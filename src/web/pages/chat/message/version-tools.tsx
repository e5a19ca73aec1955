import { Columns2, Split } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '#shared/vocabulary/message.ts';
import { lazyPart, Part } from '../../../features/loading/part.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';

/** Read when they are first opened. */
const CompareDialog = lazyPart(
  async () => (await import('../../../features/versions/compare-dialog.tsx')).CompareDialog,
);
const BranchDialog = lazyPart(
  async () => (await import('../../../features/versions/branch-dialog.tsx')).BranchDialog,
);

/** Makes another version of an answer from one of its steps. */
export function BranchButton({ message }: { message: Message }): ReactElement {
  const t = useTranslations('versions');
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label={t('branch')}
        size="small"
        data-testid="branch"
        onClick={() => setOpen(true)}
      >
        <Split />
      </IconButton>
      <Part>{open && <BranchDialog message={message} onClose={() => setOpen(false)} />}</Part>
    </>
  );
}

/** Shows versions of an answer side by side. */
export function CompareButton({ message }: { message: Message }): ReactElement {
  const t = useTranslations('versions');
  const [state, setState] = useState<'open' | 'closed'>();
  return (
    <>
      <button
        type="button"
        aria-label={t('compare')}
        title={t('compare')}
        data-testid="compare"
        onClick={() => setState('open')}
        className="icon-button h-7 gap-1 px-1.5 [&_svg]:size-3.5"
      >
        <Columns2 aria-hidden />
        {t('compareShort')}
      </button>
      <Part>
        {state && (
          <CompareDialog
            message={message}
            open={state === 'open'}
            onClose={() => setState('closed')}
          />
        )}
      </Part>
    </>
  );
}
