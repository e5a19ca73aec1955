import { Columns2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '#shared/vocabulary/message.ts';
import { lazyPart, Part } from '../../../features/loading/part.tsx';

/** Read when it is first opened. */
const CompareDialog = lazyPart(
  async () => (await import('../../../features/versions/compare-dialog.tsx')).CompareDialog,
);

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
