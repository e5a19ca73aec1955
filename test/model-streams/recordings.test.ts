import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/vocabulary/message.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { readNaively, splitAnswers } from './naive-readers.ts';
import { allRecorded, bytesOf, farewell, type Recorded } from './recorded.ts';
import { plainTool, useReplayHost } from './replay-host.ts';
import { addPart, type Told, toldIn } from './told.ts';

const recordings = allRecorded();
const failing = recordings.filter(({ name }) => name.endsWith('/error.jsonl'));
const answering = recordings.filter((recorded) => !failing.includes(recorded));

describe.skipIf(recordings.length === 0)('a recorded stream through a whole host', () => {
  it.each(answering)('comes out as blocks that say what it says: $name', async (recorded) => {
    const { answer, expected } = await replay(recorded, splitAnswers(recorded.events));
    expectTold(answer, expected);
  });

  it.each(answering)('says the same in reads of any size: $name', async (recorded) => {
    const { answer, expected } = await replay(recorded, splitAnswers(recorded.events), 1_009);
    expectTold(answer, expected);
  });

  it.each(answering.filter(({ events }) => splitAnswers(events).length > 1))(
    'keeps every word where several answers come as one: $name',
    async (recorded) => {
      const { answer, expected } = await replay(recorded, [recorded.events]);
      expectTold(answer, expected);
    },
  );

  it.each(failing)('says why the vendor would not answer: $name', async (recorded) => {
    const { answer, expected, requests } = await replay(recorded, [recorded.events]);
    expect(expected.error).toBe('insufficient_quota');
    expect(answer.status).toBe('error');
    expect(answer.blocks).toMatchObject([
      { type: 'error', error: { code: 'model_no_credit', hint: expect.any(String) } },
    ]);
    expect(JSON.stringify(answer.blocks)).toContain('You exceeded your current quota');
    expect(requests).toBe(1);
  });
});

/** Plays answers one after the other, a round each, and a farewell if the last one calls tools. */
async function replay({ vendor, kind }: Recorded, rounds: unknown[][], step = 0) {
  const told = rounds.map((events) => readNaively(vendor, events));
  const names = told.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'call' ? [part.name] : [])),
  );
  const { provider } = await useReplayHost([...new Set(names)].map((name) => plainTool(name)));
  const vendorProvider = await provider(kind);
  const playbacks = rounds.map((events) => {
    const bytes = bytesOf(vendor, events);
    return { bytes, ...(step > 0 && { splits: placesEvery(step, bytes.length) }) };
  });
  const calls = told.at(-1)?.parts.some(({ type }) => type === 'call') ?? false;
  vendorProvider.play(...playbacks, ...(calls ? [{ bytes: farewell(vendor) }] : []));
  const answer = await vendorProvider.ask();
  const expected = joined(told);
  if (calls) addPart(expected.parts, { type: 'text', text: 'Done.' });
  return { answer, expected, requests: vendorProvider.requests.length };
}

function expectTold(answer: Message, expected: Told): void {
  const { sealed, ...told } = toldIn(answer);
  const { sealed: expectedSealed, ...rest } = expected;
  expect(told).toEqual(rest);
  expect(answer.status).toBe('success');
  expect(sealed).toHaveLength(expectedSealed.length);
  for (const [index, seal] of expectedSealed.entries()) expect(sealed[index]).toContain(seal);
  const numbers = answer.blocks.flatMap((block) =>
    block.type === 'citation' ? block.citations.map(({ number }) => number) : [],
  );
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
}

type Counted = Exclude<keyof Usage, 'costEstimated'>;

/** What several answers tell together. */
function joined(all: Told[]): Told {
  const whole: Told = { parts: [], sources: [], sealed: [] };
  for (const { parts, sources, sealed, usage, error } of all) {
    for (const part of parts) addPart(whole.parts, part);
    whole.sources.push(...sources);
    whole.sealed.push(...sealed);
    if (error !== undefined) whole.error = error;
    if (!usage) continue;
    whole.usage ??= {};
    for (const [key, value] of Object.entries(usage) as [Counted, number][])
      whole.usage[key] = (whole.usage[key] ?? 0) + value;
  }
  return whole;
}

function placesEvery(step: number, length: number): number[] {
  return Array.from({ length: Math.floor(length / step) }, (_, index) => (index + 1) * step);
}
