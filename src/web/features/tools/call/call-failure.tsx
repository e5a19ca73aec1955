import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { inLine, useReason } from '../../../ui/notices/use-reason.ts';

interface CallFailureProps {
  call: Pick<ToolBlock, 'state' | 'reach'>;
  error: ErrorInfo;
}

/** Why a call came to nothing; quiet where somebody stopped it, and with what may have happened all the same. */
export function CallFailure({ call, error }: CallFailureProps): ReactElement {
  const t = useTranslations('tool');
  const reason = useReason();
  const isLeft = call.reach === 'left';
  if (call.state === 'cancelled')
    return (
      <p className="text-sm text-muted">
        {inLine(reason(error))} {isLeft && t('leftHint')}
      </p>
    );
  const hint =
    call.state === 'outcome_unknown' ? t('unknownHint') : isLeft ? t('leftHint') : undefined;
  return <ErrorNote error={hint ? { ...error, hint, hintSaid: undefined } : error} />;
}
