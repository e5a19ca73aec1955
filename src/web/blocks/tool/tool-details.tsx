import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { isBlockOpen, type ToolBlock } from '#shared/block.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { AbortCall } from './abort-call.tsx';
import { ArgumentsView } from './arguments-view.tsx';
import { ResultView } from './result-view.tsx';

/** Everything about a call: arguments, result, error. */
export function ToolDetails(props: { block: ToolBlock; showArguments: boolean }): ReactElement {
  const t = useTranslations('tool');
  const { block, showArguments } = props;
  const unknown = block.state === 'outcome_unknown';
  return (
    <div className="space-y-4 px-3.5 py-3">
      {showArguments && <ArgumentsView value={block.arguments} written={block.content} />}
      {block.error && (
        <ErrorNote error={unknown ? { hint: t('unknownHint'), ...block.error } : block.error} />
      )}
      {block.result && <ResultView result={block.result} />}
      {isBlockOpen(block) && showArguments && !block.progress && (
        <AbortCall toolCallId={block.toolCallId} />
      )}
    </div>
  );
}
