import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { isBlockOpen, type ToolBlock } from '#shared/block.ts';
import type { ErrorInfo } from '#shared/errors.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { inLine, useReason } from '../../ui/use-reason.ts';
import { ArgumentsView } from './arguments-view.tsx';
import { ResultView } from './result-view.tsx';
import { RunAgain } from './run-again.tsx';

/** Everything about a call: arguments, result, error, and a way to run it again. */
export function ToolDetails(props: { block: ToolBlock; showArguments: boolean }): ReactElement {
  const t = useTranslations('tool');
  const { block, showArguments } = props;
  const { proposedArguments } = block;
  return (
    <div className="space-y-4 px-3.5 py-3">
      {showArguments && <ArgumentsView value={block.arguments} written={block.content} />}
      {showArguments && proposedArguments && (
        <Disclosure summary={t('edited')}>
          {() => <ArgumentsView value={proposedArguments} />}
        </Disclosure>
      )}
      {block.error && <CallError block={block} error={block.error} />}
      {block.result && <ResultView result={block.result} serverId={block.serverId} />}
      {!isBlockOpen(block) && <RunAgain block={block} />}
    </div>
  );
}

/** Why a call came to nothing; quiet where somebody stopped it, and with what may have happened all the same. */
function CallError(props: { block: ToolBlock; error: ErrorInfo }): ReactElement {
  const t = useTranslations('tool');
  const reason = useReason();
  const { block, error } = props;
  const isLeft = block.reach === 'left';
  if (block.state === 'cancelled')
    return (
      <p className="text-sm text-muted">
        {inLine(reason(error))} {isLeft && t('leftHint')}
      </p>
    );
  const unknown = block.state === 'outcome_unknown';
  const hint = unknown ? t('unknownHint') : isLeft ? t('leftHint') : undefined;
  return <ErrorNote error={hint ? { ...error, hint, hintSaid: undefined } : error} />;
}
