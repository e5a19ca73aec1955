import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { isBlockOpen, type ToolBlock } from '#shared/vocabulary/block.ts';
import { api } from '../../../state/session/api.ts';
import { Disclosure } from '../../../ui/controls/disclosure.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { CallStepList } from '../../timeline/call-step-list.tsx';
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
      {block.vendor === undefined && block.client === undefined && <Steps block={block} />}
      {!isBlockOpen(block) && <RunAgain block={block} />}
    </div>
  );
}

/** How the call got to its server, read when it is opened. */
function Steps({ block }: { block: ToolBlock }) {
  const t = useTranslations('timeline');
  return (
    <Disclosure summary={t('callSteps')}>
      {() => <StepsOf answerId={block.messageId} toolCallId={block.toolCallId} key={block.state} />}
    </Disclosure>
  );
}

function StepsOf({ answerId, toolCallId }: { answerId: string; toolCallId: string }) {
  const t = useTranslations('timeline');
  const load = (signal: AbortSignal) => api.messages.timeline(answerId, signal);
  const { value, error } = useLoaded(load, answerId);
  if (error) return <ErrorNote error={error} />;
  if (!value) return <div className="h-16" aria-busy />;
  const call = value.calls.find((each) => each.toolCallId === toolCallId);
  if (!call) return <p className="text-sm text-muted">{t('noSteps')}</p>;
  return <CallStepList call={call} />;
}
