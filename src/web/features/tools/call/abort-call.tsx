import { Square } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../state/session/api.ts';
import { showFailure } from '../../../ui/notices/notices.ts';

/** Cancels one running call; the answer goes on without it. */
export function AbortCall({ toolCallId }: { toolCallId: string }): ReactElement {
  const t = useTranslations('tool');
  const abort = () => {
    api.toolCalls.abort(toolCallId).catch(showFailure);
  };
  return (
    <button
      type="button"
      aria-label={t('abort')}
      title={t('abort')}
      data-testid="abort-call"
      onClick={abort}
      className="inline-flex min-h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs text-muted hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
    >
      <Square aria-hidden className="size-2.5 fill-current" />
      {t('stop')}
    </button>
  );
}
