import type { TimelineCall } from '#shared/telemetry/timeline-api.ts';
import type { ToolCallState } from '#shared/vocabulary/tool.ts';

/** A line of what happened to a call; `took` where it lasted. */
export interface CallStepLine {
  name:
    | 'requested'
    | 'approved'
    | 'allowed'
    | 'queued'
    | 'connecting'
    | 'connected'
    | 'sent'
    | 'progress'
    | 'input'
    | EndState;
  at: number;
  took?: number;
}

type EndState = Exclude<ToolCallState, 'proposed' | 'approved' | 'dispatching' | 'parked'>;

/** What is known of the way of a call, wherever it was read. */
export type CallWayFacts = Pick<
  TimelineCall,
  'state' | 'createdAt' | 'decidedAt' | 'startedAt' | 'endedAt' | 'times'
> & { waits?: TimelineCall['waits'] };

/** Less is no wait for a free place at the server, but the commit before the call. */
export const leastQueueMs = 100;

/** The way of a call, step by step, as far as it was noted. */
export function callSteps(call: CallWayFacts): CallStepLine[] {
  const { createdAt, decidedAt, startedAt, endedAt, state } = call;
  const { connectingAt, connectedAt, sentAt, progressAt } = call.times ?? {};
  const freeAt = decidedAt ?? createdAt;
  const lines: CallStepLine[] = [{ name: 'requested', at: createdAt }];
  if (decidedAt !== undefined && state !== 'denied')
    lines.push({ name: 'approved', at: decidedAt, took: decidedAt - createdAt });
  else if (startedAt !== undefined) lines.push({ name: 'allowed', at: createdAt });
  if (startedAt !== undefined && startedAt - freeAt >= leastQueueMs)
    lines.push({ name: 'queued', at: startedAt, took: startedAt - freeAt });
  if (connectingAt !== undefined) lines.push({ name: 'connecting', at: connectingAt });
  if (connectingAt !== undefined && connectedAt !== undefined)
    lines.push({ name: 'connected', at: connectedAt, took: connectedAt - connectingAt });
  if (sentAt !== undefined) lines.push({ name: 'sent', at: sentAt });
  if (progressAt !== undefined)
    lines.push({ name: 'progress', at: progressAt, took: progressAt - (sentAt ?? freeAt) });
  for (const wait of call.waits ?? [])
    if (wait.endedAt !== undefined)
      lines.push({ name: 'input', at: wait.endedAt, took: wait.endedAt - wait.startedAt });
  if (endedAt !== undefined && isEnd(state))
    lines.push({ name: state, at: endedAt, took: endedAt - (startedAt ?? createdAt) });
  return lines.toSorted((a, b) => a.at - b.at);
}

function isEnd(state: ToolCallState): state is EndState {
  return !['proposed', 'approved', 'dispatching', 'parked'].includes(state);
}
