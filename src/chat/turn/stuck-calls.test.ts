import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '#shared/errors/errors.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { isStuck } from './stuck-calls.ts';

type Made = ErrorCode | 'ran' | 'refused by a person' | 'by the vendor';

/** A call of a round: refused with this code, or one that ran. */
function call(round: number, made: Made, name = 't'): ToolBlock {
  const fields = {
    ran: { state: 'succeeded', result: { content: [] } },
    'by the vendor': { state: 'succeeded', serverId: '' },
    'refused by a person': { state: 'denied' },
  }[made as string] ?? { state: 'failed', error: { code: made, message: '' } };
  return {
    type: 'tool',
    id: `${round}`,
    messageId: 'm',
    ordinal: round,
    round,
    status: 'success',
    content: '',
    startedAt: 0,
    toolCallId: '',
    callId: '',
    serverId: 's',
    serverName: '',
    toolName: name,
    modelToolName: name,
    arguments: {},
    ...fields,
  } as ToolBlock;
}

const after = (...rounds: Made[][]) =>
  isStuck(
    rounds.flatMap((calls, round) => calls.map((made) => call(round, made))),
    usualLimits,
  );

describe('T94: a model gets no further', () => {
  it.each<Made>([
    'tool_not_found',
    'invalid_arguments',
    'arguments_too_large',
    'file_not_found',
    'refused by a person',
    'tool_changed',
    'server_disabled',
    'sign_in_required',
    'connection_refused',
  ])('after three rounds of %s, and not after two', (made) => {
    expect(after([made], [made])).toBe(false);
    expect(after([made], [made], [made])).toBe(true);
  });

  it.each<ErrorCode>(['connection_lost', 'http_error', 'protocol_error', 'internal'])(
    'after three rounds of %s of calls that never left, and not of those that did',
    (code) => {
      const three = (reach: ToolBlock['reach']) =>
        [0, 1, 2].map((round) => ({ ...call(round, code), reach }));
      expect(isStuck(three('never-left'), usualLimits)).toBe(true);
      expect(isStuck(three('never-left').slice(1), usualLimits)).toBe(false);
      expect(isStuck(three('left'), usualLimits)).toBe(false);
      expect(isStuck(three('ended'), usualLimits)).toBe(false);
      const slow = three('never-left').map((block) => ({ ...block, state: 'timed_out' as const }));
      expect(isStuck(slow, usualLimits)).toBe(true);
    },
  );

  it('begins to count anew when a call runs', () => {
    const missing: Made[] = ['tool_not_found'];
    expect(after(missing, missing, ['ran'], missing, missing)).toBe(false);
    expect(after(missing, missing, ['tool_not_found', 'ran'], missing)).toBe(false);
    expect(after(['ran'], missing, missing, missing)).toBe(true);
  });

  it('counts a kind although others come between', () => {
    const [a, b]: Made[][] = [['tool_not_found'], ['invalid_arguments']];
    expect(after(a!, b!, a!, b!)).toBe(false);
    expect(after(a!, b!, a!, b!, a!)).toBe(true);
  });

  it('gives calls of one round a second chance, and many calls no third', () => {
    const four = Array.from({ length: 4 }, (): Made => 'invalid_arguments');
    expect(after(four)).toBe(false);
    expect(after(four, four)).toBe(true);
  });

  it('does not count what ran and failed, nor what the vendor ran', () => {
    expect(after(['tool_failed'], ['tool_failed'], ['tool_failed'])).toBe(false);
    expect(after(['by the vendor'], ['by the vendor'], ['by the vendor'])).toBe(false);
    expect(after()).toBe(false);
  });

  describe('although other calls run', () => {
    const refusals: Made[] = [
      'tool_not_found',
      'refused by a person',
      'invalid_arguments',
      'arguments_too_large',
    ];
    const beside = (rounds: number, made: Made, name: (round: number) => string) =>
      Array.from({ length: rounds }, (_, n) => [call(n, 'ran', 'good'), call(n, made, name(n))]);
    const between = (rounds: number, made: Made) =>
      Array.from({ length: 2 * rounds }, (_, n) => [
        n % 2 === 0 ? call(n, made, 'bad') : call(n, 'ran', 'good'),
      ]);

    it.each(refusals)('beside them, of one tool and one reason: %s', (made) => {
      expect(isStuck(beside(2, made, () => 'bad').flat(), usualLimits)).toBe(false);
      expect(isStuck(beside(3, made, () => 'bad').flat(), usualLimits)).toBe(true);
    });

    it.each(refusals)('between them, of one tool and one reason: %s', (made) => {
      expect(isStuck(between(2, made).flat(), usualLimits)).toBe(false);
      expect(isStuck(between(3, made).flat(), usualLimits)).toBe(true);
    });

    it('of tools that do not exist, by another name each time', () => {
      const missing = (rounds: number) => beside(rounds, 'tool_not_found', (n) => `bad_${n}`);
      expect(isStuck(missing(7).flat(), usualLimits)).toBe(false);
      expect(isStuck(missing(8).flat(), usualLimits)).toBe(true);
    });

    it('but not where a server cannot be reached, nor where the tool ran in between', () => {
      expect(isStuck(between(8, 'connection_refused').flat(), usualLimits)).toBe(false);
      expect(isStuck(beside(8, 'invalid_arguments', () => 'good').flat(), usualLimits)).toBe(false);
    });
  });

  it('at once when a guard says so', () => {
    expect(after(['ran'], ['repeated_call'])).toBe(true);
    expect(after(['call_limit'])).toBe(true);
  });
});
