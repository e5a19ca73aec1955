import { describe, expect, it } from 'vitest';
import type { Timeline, TimelineCall } from '#shared/telemetry/timeline-api.ts';
import { callSteps } from './call-steps.ts';
import { isBusy, timeOf, timelineRows } from './timeline-rows.ts';

const call: TimelineCall = {
  toolCallId: 'c',
  round: 0,
  serverId: 's',
  serverName: 'shop',
  toolName: 'order',
  state: 'succeeded',
  createdAt: 1000,
  decidedAt: 4000,
  startedAt: 4500,
  endedAt: 9000,
  times: { connectingAt: 4500, connectedAt: 4700, sentAt: 4710, progressAt: 5000 },
  waits: [{ startedAt: 6000, endedAt: 8000 }],
};
const timeline: Timeline = {
  answerId: 'a',
  topicId: 't',
  status: 'success',
  startedAt: 0,
  endedAt: 10_000,
  requests: [
    { round: 0, startedAt: 100, firstAt: 300, endedAt: 1000 },
    { round: 1, startedAt: 9000, endedAt: 10_000, error: 'rate_limited' },
  ],
  calls: [call],
};

describe('the rows of a timeline', () => {
  it('stand in the order of the rounds, each in the parts that it consists of', () => {
    const rows = timelineRows(timeline, 10_000);
    expect(
      rows.map(({ segments }) =>
        segments.map(({ kind, startedAt, endedAt }) => `${kind} ${startedAt}-${endedAt}`),
      ),
    ).toEqual([
      ['first 100-300', 'model 300-1000'],
      [
        'approval 1000-4000',
        'queue 4000-4500',
        'run 4500-6000',
        'input 6000-8000',
        'run 8000-9000',
      ],
      ['failed 9000-10000', 'failed 10000-10000'],
    ]);
    expect(timeOf(rows, (segment) => !isBusy(segment))).toBe(5000);
  });
});

describe('the steps of a call', () => {
  it('are told in the order of their times, with how long each took', () => {
    expect(callSteps(call).map(({ name, took }) => [name, took])).toEqual([
      ['requested', undefined],
      ['approved', 3000],
      ['queued', 500],
      ['connecting', undefined],
      ['connected', 200],
      ['sent', undefined],
      ['progress', 290],
      ['input', 2000],
      ['succeeded', 4500],
    ]);
  });

  it('say that a call was allowed only where nobody was asked', () => {
    const { decidedAt: _, ...unasked } = call;
    expect(callSteps(unasked).map(({ name }) => name)).toContain('allowed');
    const denied = { state: 'denied', createdAt: 1, decidedAt: 5, endedAt: 5 } as const;
    expect(callSteps(denied)).toEqual([
      { name: 'requested', at: 1 },
      { name: 'denied', at: 5, took: 4 },
    ]);
  });
});
