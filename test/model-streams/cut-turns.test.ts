import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorStatus } from '#shared/errors/errors.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { readNaively, splitAnswers } from './naive-readers.ts';
import { type OwnStream, wholeBetween } from './own-stream.ts';
import { ownStreams } from './own-streams.ts';
import { allRecorded, bytesOf, farewell } from './recorded.ts';
import { openReplayHost, plainTool, type ReplayHost } from './replay-host.ts';
import { toldIn, wordsOf } from './told.ts';

const recorded: OwnStream[] = allRecorded()
  .filter(({ name }) => !name.endsWith('/error.jsonl'))
  .flatMap(({ name, vendor, kind, events }) =>
    splitAnswers(events).map((answer, index) => ({
      name: `${name}, answer ${index + 1}`,
      vendor: vendor as OwnStream['vendor'],
      kind,
      bytes: bytesOf(vendor, answer),
      told: readNaively(vendor, answer),
    })),
  );
const toolNames = new Set(
  [...ownStreams, ...recorded].flatMap(({ told }) =>
    told.parts.flatMap((part) => (part.type === 'call' ? [part.name] : [])),
  ),
);

let replay: ReplayHost;
beforeAll(async () => {
  replay = await openReplayHost([...toolNames].map((name) => plainTool(name)));
});
afterAll(() => replay.close());

describe.concurrent('a turn whose stream is cut', () => {
  it.each(ownStreams)('ends with one clear error, or well: $name', (stream) =>
    expectTurns(stream, 8),
  );
  it.each(recorded)('ends with one clear error, or well: $name', (stream) =>
    expectTurns(stream, 40),
  );
});

describe('the host of those turns', () => {
  it('was never surprised', () => expect(replay.errors).toEqual([]));
});

async function expectTurns(stream: OwnStream, count: number): Promise<void> {
  const provider = await replay.provider(stream.kind);
  const { from, to } = wholeBetween(stream);
  for (const at of placesIn(stream, count)) {
    const how = at % 2 === 0 ? 'end' : 'reset';
    const before = provider.requests.length;
    provider.play({ bytes: stream.bytes, cut: { at, how } }, { bytes: farewell(stream.vendor) });
    const answer = await provider.ask();
    const place = `cut at ${at} of ${stream.bytes.length} by ${how}`;
    const failed = answer.status === 'error';
    if (at <= from || stream.told.error) expect(answer.status, place).toBe('error');
    else if (at >= to) expect(answer.status, place).toBe('success');
    expectBeginning(answer, stream, place);
    if (!failed) continue;
    expectOneError(answer, place);
    expect(provider.requests.length - before, place).toBe(1);
    expect(answer.blocks.filter(hasRun), place).toEqual([]);
  }
}

function hasRun(block: Block): boolean {
  return block.type === 'tool' && block.serverId === 'native' && block.state !== 'cancelled';
}

function expectBeginning(answer: Message, { told }: OwnStream, place: string): void {
  const { parts } = toldIn(answer);
  const expected = `${wordsOf(told.parts, 'text')}${answer.status === 'success' ? 'Done.' : ''}`;
  expect(expected.startsWith(wordsOf(parts, 'text')), place).toBe(true);
  const thought = wordsOf(told.parts, 'thinking');
  expect(thought.startsWith(wordsOf(parts, 'thinking')), place).toBe(true);
}

function expectOneError({ status, blocks }: Message, place: string): void {
  const errors = blocks.filter((block) => block.type === 'error');
  expect(errors, place).toHaveLength(1);
  expect(blocks.at(-1), place).toBe(errors[0]);
  expect(status, place).toBe('error');
  const error = errors[0]?.error;
  expect(errorStatus, place).toHaveProperty(error?.code ?? '');
  expect(error?.message, place).toMatch(/^[A-Z].{15,}\.$/s);
  expect(error?.hint, place).toMatch(/^[A-Z].{5,}\.$/s);
}

/** Places of cuts: both ends, both sides of the border, and others that are the same in every run. */
function placesIn(stream: OwnStream, count: number): Set<number> {
  const { length } = stream.bytes;
  const { from, to } = wholeBetween(stream);
  const places = new Set([0, from, to, length - 1]);
  for (let seed = length; places.size < Math.min(count, length);) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    places.add((seed >>> 8) % length);
  }
  return places;
}
