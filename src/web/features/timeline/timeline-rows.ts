import type { Timeline, TimelineCall, TimelineRequest } from '#shared/telemetry/timeline-api.ts';
import { leastQueueMs } from './call-steps.ts';
import type { TimeSpan } from './time-scale.ts';

/** A part of a row that is drawn in its own way. */
export interface Segment extends TimeSpan {
  kind: 'first' | 'model' | 'approval' | 'queue' | 'run' | 'input' | 'failed';
}

/** A line of the chart: a request to the model, or a call of its round. */
export type TimelineRow = TimeSpan & { key: string; round: number; segments: Segment[] } & (
    | { request: TimelineRequest; call?: never }
    | { call: TimelineCall; request?: never }
  );

/** Rows in the order of the rounds, each with its calls; what still runs ends `now`. */
export function timelineRows({ requests, calls }: Timeline, now: number): TimelineRow[] {
  const rounds = new Set([...requests, ...calls].map(({ round }) => round));
  return [...rounds]
    .toSorted((a, b) => a - b)
    .flatMap((round) => [
      ...requests.filter((request) => request.round === round).map(requestRow(now)),
      ...calls.filter((call) => call.round === round).map(callRow(now)),
    ]);
}

/** Nobody waits for a person in these. */
export function isBusy({ kind }: Segment): boolean {
  return kind !== 'approval' && kind !== 'input';
}

/** How long all segments took that fulfil a condition; what runs at the same time counts once. */
export function timeOf(rows: readonly TimelineRow[], isMeant: (segment: Segment) => boolean) {
  let total = 0;
  let until = 0;
  const segments = rows.flatMap((row) => row.segments).filter(isMeant);
  for (const { startedAt, endedAt } of segments.toSorted((a, b) => a.startedAt - b.startedAt)) {
    total += Math.max(0, endedAt - Math.max(startedAt, until));
    until = Math.max(until, endedAt);
  }
  return total;
}

const requestRow =
  (now: number) =>
  (request: TimelineRequest, index: number): TimelineRow => {
    const { round, startedAt, firstAt, endedAt = now, error } = request;
    const first = firstAt ?? endedAt;
    const kind = error === undefined ? 'model' : 'failed';
    const segments: Segment[] = [
      { kind: firstAt === undefined ? kind : 'first', startedAt, endedAt: first },
      { kind, startedAt: first, endedAt },
    ];
    return {
      key: `${round} ${index}`,
      round,
      request,
      startedAt,
      endedAt,
      segments: shown(segments),
    };
  };

const callRow =
  (now: number) =>
  (call: TimelineCall): TimelineRow => {
    const { toolCallId: key, round, createdAt, endedAt = now, state } = call;
    const hasWaited = call.decidedAt !== undefined || state === 'proposed' || state === 'denied';
    const freeAt = hasWaited ? (call.decidedAt ?? endedAt) : createdAt;
    const { startedAt: sentAt = endedAt } = call;
    const startedAt = sentAt - freeAt < leastQueueMs ? freeAt : sentAt;
    const isFailed = ['failed', 'timed_out', 'outcome_unknown'].includes(state);
    const run = { kind: isFailed ? 'failed' : 'run', startedAt, endedAt } as const;
    const segments: Segment[] = [
      { kind: 'approval', startedAt: createdAt, endedAt: freeAt },
      { kind: 'queue', startedAt: freeAt, endedAt: startedAt },
      ...around(run, call.waits, now),
    ];
    return { key, round, call, startedAt: createdAt, endedAt, segments: shown(segments) };
  };

/** A run with the waits for a person that interrupt it. */
function around(run: Segment, waits: TimelineCall['waits'], now: number): Segment[] {
  const parts: Segment[] = [];
  let at = run.startedAt;
  for (const wait of waits) {
    const startedAt = Math.max(at, wait.startedAt);
    const endedAt = Math.max(startedAt, Math.min(wait.endedAt ?? now, run.endedAt));
    parts.push(
      { ...run, startedAt: at, endedAt: startedAt },
      { kind: 'input', startedAt, endedAt },
    );
    at = endedAt;
  }
  return [...parts, { ...run, startedAt: at }];
}

const shown = (segments: Segment[]): Segment[] =>
  segments.filter(
    ({ startedAt, endedAt }, index) => endedAt > startedAt || index === segments.length - 1,
  );
