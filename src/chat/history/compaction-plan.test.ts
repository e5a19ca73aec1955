import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompactBlock } from '#shared/vocabulary/block.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { randomPath } from '../../../test/random-path.ts';
import { planCompaction, type Room } from './compaction-plan.ts';
import { userText } from './history-roles.ts';
import { calibrate, estimateMessages, estimateTokens, measuredIn } from './history-size.ts';
import { buildHistory, type HistoryEntry, historyEntries } from './history.ts';

const target = { model: 'anthropic/one', limits: usualLimits };
const room: Room = { contextTokens: 1000, overhead: 0, ratio: 1, resultToModel: 65_536 };

/** A user's message of about so many tokens. */
function asks(messageId: string, tokens: number): HistoryEntry {
  return { messageId, messages: [userText('x'.repeat(tokens * 4 - 16))] };
}

/** A round of an answer of about so many tokens. */
function round(messageId: string, number: number, tokens: number): HistoryEntry {
  const text = 'y'.repeat(tokens * 4 - 16);
  return {
    messageId,
    round: number,
    messages: [{ role: 'assistant', parts: [{ type: 'text', text }] }],
  };
}

describe('what is compacted', () => {
  it('is nothing while the request fits', () => {
    const entries = [asks('u1', 300), round('a1', 0, 400), asks('u2', 100)];
    expect(planCompaction(entries, room)).toBeUndefined();
    expect(planCompaction(entries, { ...room, overhead: 10 })).toBeDefined();
    expect(planCompaction(entries, { ...room, ratio: 1.1 })).toBeDefined();
    expect(planCompaction(entries, { ...room, outputTokens: 300 })).toBeDefined();
  });

  it('is the oldest turns, so that the newest stay whole', () => {
    const entries = [
      asks('u1', 100),
      round('a1', 0, 300),
      asks('u2', 100),
      round('a2', 0, 150),
      asks('u3', 50),
      round('a3', 0, 100),
      asks('u4', 100),
    ];
    expect(planCompaction(entries, room)).toEqual({
      through: { messageId: 'a2' },
      covered: entries.slice(0, 4),
    });
  });

  it('is everything before the present turn where that is long itself', () => {
    const entries = [asks('u1', 200), round('a1', 0, 200), asks('u2', 250), round('a2', 0, 250)];
    expect(planCompaction(entries, room)?.through).toEqual({ messageId: 'a1' });
  });

  it('is old rounds of the present turn where it alone is too long, but never the question', () => {
    const rounds = [0, 1, 2, 3].map((number) => round('a1', number, 250));
    const entries = [asks('u1', 50), ...rounds];
    const plan = planCompaction(entries, room);
    expect(plan?.through).toEqual({ messageId: 'a1', round: 2 });
    expect(plan?.covered).toEqual(rounds.slice(0, 3));
  });

  it('is nothing where only a long question or many tools fill the context', () => {
    expect(planCompaction([asks('u1', 2000)], room, true)).toBeUndefined();
    const small = [asks('u1', 10), round('a1', 0, 10), asks('u2', 10)];
    expect(planCompaction(small, { ...room, overhead: 900 })).toBeUndefined();
    expect(planCompaction(small, { ...room, overhead: 900 }, true)).toBeDefined();
  });

  it('is not a summary alone: it would only be summed up again', () => {
    const summary: HistoryEntry = { messages: [userText('z'.repeat(2000))] };
    expect(planCompaction([summary, asks('u2', 500)], room)).toBeUndefined();
  });
});

describe('a history after any compaction', () => {
  const block = (through: CompactBlock['through'], answer: Message): CompactBlock => ({
    id: `${answer.id}.99`,
    messageId: answer.id,
    ordinal: 99,
    round: answer.blocks.at(-1)?.round ?? 0,
    type: 'compact',
    status: 'success',
    content: 'THE SUMMARY',
    startedAt: 1,
    endedAt: 2,
    through,
    messageCount: 1,
  });

  it('begins with the summary, goes on with what was not covered, and keeps the question', () => {
    fc.assert(
      fc.property(randomPath, fc.integer({ min: 1, max: 400 }), (path, contextTokens) => {
        const entries = historyEntries(path, target);
        const plan = planCompaction(entries, { ...room, contextTokens }, true);
        fc.pre(plan !== undefined);
        const answer = path.at(-1)!;
        const blocks = [...answer.blocks, block(plan.through, answer)];
        const after = path.with(path.length - 1, { ...answer, blocks });
        const left = historyEntries(after, target);
        expect(JSON.stringify(left[0])).toContain('THE SUMMARY');
        const stays = entries.filter((entry) => !plan.covered.includes(entry));
        expect(left.slice(1).map(place)).toEqual(stays.map(place));
        expect(left.map(({ messageId }) => messageId)).toContain(path.at(-2)?.id);
        const history = buildHistory(after, target);
        expect(history[0]?.role).toBe('user');
        expect(['user', 'tool']).toContain(history.at(-1)?.role);
      }),
      { numRuns: 300 },
    );
  });

  it('can be compacted again, and then stands on the newer summary alone', () => {
    fc.assert(
      fc.property(randomPath, (path) => {
        const compacted = (branch: Message[], content: string) => {
          const plan = planCompaction(historyEntries(branch, target), room, true);
          fc.pre(plan !== undefined);
          const answer = branch.at(-1)!;
          const made = { ...block(plan.through, answer), ordinal: answer.blocks.length, content };
          return branch.with(-1 + branch.length, { ...answer, blocks: [...answer.blocks, made] });
        };
        const once = compacted(path, 'ONE');
        const next = { ...path.at(-1)!, id: 'next', blocks: [] };
        const asked = { ...path.at(-2)!, id: 'asked' };
        const twice = compacted([...once, asked, next], 'TWO');
        const left = historyEntries(twice, target);
        expect(JSON.stringify(left[0])).toContain('TWO');
        expect(JSON.stringify(left)).not.toContain('ONE');
        expect(left.map(({ messageId }) => messageId)).toContain('asked');
      }),
    );
  });

  it('takes no notice of a summary that was stopped or cut', () => {
    fc.assert(
      fc.property(randomPath, fc.constantFrom('paused', 'interrupted'), (path, status) => {
        const answer = path.at(-1)!;
        const broken = { ...block({ messageId: 'q0' }, answer), status } as const;
        const after = path.with(path.length - 1, { ...answer, blocks: [...answer.blocks, broken] });
        expect(buildHistory(after, target)).toEqual(buildHistory(path, target));
      }),
    );
  });
});

const place = ({ messageId, round: number }: HistoryEntry) => [messageId, number];

describe('the size of a history', () => {
  it('counts four characters as a token, and Chinese ones as one each', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('abcdefgh')).toBe(2);
    expect(estimateTokens('你好')).toBe(2);
    expect(estimateTokens('你好 hello!!!')).toBe(5);
  });

  it('counts an image as a thousand, however large it is', () => {
    const file = { type: 'file' as const, mimeType: 'image/png', data: 'A'.repeat(1_000_000) };
    expect(estimateMessages([{ role: 'user', parts: [file] }], 65_536)).toBeLessThan(1100);
  });

  it('follows what the vendor counted for the same request', () => {
    const entries = [asks('u1', 1000), round('a1', 0, 50), asks('u2', 100)];
    const measured = { messageId: 'a1', round: 0, inputTokens: 2020 };
    const about = { overhead: 10, resultToModel: 65_536 };
    expect(calibrate(entries, about, measured)).toBeCloseTo(2, 1);
    expect(calibrate(entries, about, { ...measured, inputTokens: 1e9 })).toBe(3);
    expect(calibrate(entries, about, { ...measured, inputTokens: 5 })).toBe(1);
    expect(calibrate(entries, about, { ...measured, messageId: 'gone' })).toBe(1);
    expect(calibrate(entries, about)).toBe(1);
  });

  it('trusts only an answer of the model that was one request', () => {
    const answer = {
      id: 'a',
      role: 'assistant',
      model: 'm',
      usage: { inputTokens: 9 },
      blocks: [],
    };
    const many = { ...answer, id: 'b', blocks: [{ round: 0 }, { round: 1 }] };
    const path = [answer, many, { ...answer, id: 'c', model: 'n' }] as unknown as Message[];
    expect(measuredIn(path, 'm')).toEqual({ messageId: 'a', round: 0, inputTokens: 9 });
    expect(measuredIn(path, 'o')).toBeUndefined();
  });
});
