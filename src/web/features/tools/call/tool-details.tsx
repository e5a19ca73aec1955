import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { isBlockOpen, type ToolBlock } from '#shared/vocabulary/block.ts';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { ArgumentsView } from '../arguments/arguments-view.tsx';
import { ResultView } from '../result/result-view.tsx';
import { CallFailure } from './call-failure.tsx';
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
      {block.error && <CallFailure call={block} error={block.error} />}
      {block.result && <ResultView result={block.result} serverId={block.serverId} />}
      {!isBlockOpen(block) && <RunAgain block={block} />}
    </div>
  );
}
