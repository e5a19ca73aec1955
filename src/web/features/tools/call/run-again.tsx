import { RotateCw } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useDuration } from '../../../ui/text/duration.ts';
import { Elapsed } from '../../../ui/text/elapsed.tsx';
import { ApprovalCard } from '../approval/approval-card.tsx';
import { ResultView } from '../result/result-view.tsx';
import { AbortCall } from './abort-call.tsx';
import { CallFailure } from './call-failure.tsx';
import { type CallTarget, type RepeatedCall, useRepeatedCall } from './use-repeated-call.ts';

/** Runs a call again under the same policy, beside the answer; what comes of it is shown beneath. */
export function RunAgain({ block }: { block: ToolBlock }): ReactElement | null {
  const t = useTranslations('tool');
  const known = useCatalog(({ servers }) => servers.some(({ id }) => id === block.serverId));
  const { call, run } = useRepeatedCall(block);
  if (!known || !block.toolName) return null;
  const mayHaveRun = block.state === 'outcome_unknown' || block.reach === 'left';
  const busy = call?.state === 'running' || call?.state === 'asking';
  return (
    <section className="space-y-3 border-t border-line pt-3" data-testid="run-again">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Button disabled={busy} onClick={run}>
          <RotateCw aria-hidden />
          {t('runAgain')}
        </Button>
        <p className="min-w-0 flex-1 basis-52 text-xs text-muted">
          {mayHaveRun ? t('runAgainUnknown') : t('runAgainHint')}
        </p>
      </div>
      {call && <CallOutcome call={call} target={block} />}
    </section>
  );
}

/** What has become of a call outside of an answer: it runs, asks, failed, or gave a result. */
export function CallOutcome(props: { call: RepeatedCall; target: CallTarget }): ReactElement {
  const { call, target } = props;
  const t = useTranslations('tool');
  const duration = useDuration();
  switch (call.state) {
    case 'running':
      return (
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          {t('dispatching')}
          <Elapsed since={call.since} />
          <AbortCall toolCallId={call.id} />
        </p>
      );
    case 'asking':
      return (
        <div className="overflow-hidden rounded-lg border border-line">
          <ApprovalCard block={{ ...target, ...call.asked }} />
        </div>
      );
    case 'failed':
      return <CallFailure call={failed(call.error)} error={call.error} />;
    case 'done':
      return (
        <div data-testid="new-result">
          <p className="mb-2 text-xs text-muted">
            {t('newResult')} · <span className="tabular-nums">{duration(call.time)}</span>
          </p>
          <ResultView result={call.result} serverId={target.serverId} />
        </div>
      );
  }
}

/** How far a call came that was answered with an error. */
function failed({ code, details }: ErrorInfo): Pick<ToolBlock, 'state' | 'reach'> {
  const { reach } = (details ?? {}) as Pick<ToolBlock, 'reach'>;
  const state = code === 'cancelled' || code === 'outcome_unknown' ? code : 'failed';
  return { state, ...(reach && { reach }) };
}
