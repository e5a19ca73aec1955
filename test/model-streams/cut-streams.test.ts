import { describe, expect, it } from 'vitest';
import { errorStatus } from '#shared/errors/errors.ts';
import { type Block, isBlockOpen } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { anthropicStreams } from '../fakes/anthropic-streams.ts';
import { googleStreams } from '../fakes/google-streams.ts';
import { chatStreams, responsesStreams } from '../fakes/openai-streams.ts';
import { AdapterReplay } from './adapter-replay.ts';
import { type OwnStream, wholeBetween } from './own-stream.ts';
import { ownStreams } from './own-streams.ts';
import { bytesOf } from './recorded.ts';
import { toldIn, wordsOf } from './told.ts';

type Stream = Pick<OwnStream, 'name' | 'vendor' | 'kind' | 'bytes'>;

/** Streams that other tests know by their chunks; here only what holds for any stream counts. */
const further: Stream[] = [
  ...furtherStreams('openai-chat', 'openai-compatible', chatStreams),
  ...furtherStreams('openai-responses', 'openai', responsesStreams),
  ...furtherStreams('anthropic', 'anthropic', anthropicStreams),
  ...furtherStreams('google', 'google', googleStreams),
];

describe('T56: a stream that is cut at any byte', () => {
  it.each(ownStreams)('is an error that keeps what was said, or whole: $name', (stream) =>
    expectCuts(stream, 1),
  );

  it.each(further)('is an error that keeps what was said, or whole, $name', (stream) =>
    expectCuts(stream, 7),
  );
});

type Round = Awaited<ReturnType<AdapterReplay['round']>>;

async function expectCuts(stream: Stream, step: number): Promise<void> {
  const replay = new AdapterReplay(stream.kind);
  const { length } = stream.bytes;
  const whole = await replay.round({ bytes: stream.bytes });
  const borders = wholeBetween(stream);
  const problems: string[] = [];
  const said = { end: 0, reset: 0 };
  for (let at = 0; at <= length; at += at + step > length ? 1 : step) {
    const how = at % 2 === 0 ? 'end' : 'reset';
    const asked = replay.requests;
    const cut = await replay.round({ bytes: stream.bytes, cut: { at, how } });
    const found = [...cutProblems(cut, whole, at, borders), ...blockProblems(cut, whole)];
    if (replay.requests - asked !== 1) found.push('was asked for again');
    const told = wordsOf(toldIn(cut.answer).parts, 'text').length;
    if (told < said[how]) found.push('lost words that a shorter stream had');
    said[how] = told;
    problems.push(...found.map((problem) => `cut at ${at} of ${length} by ${how}: ${problem}`));
  }
  expect(problems).toEqual([]);
  expect(Math.max(said.end, said.reset)).toBe(wordsOf(toldIn(whole.answer).parts, 'text').length);
}

/** What is wrong with the end of a round whose stream was cut. */
function cutProblems(cut: Round, whole: Round, at: number, borders: { from: number; to: number }) {
  const { error, calls } = cut.result;
  const found: string[] = [];
  if (!error && at <= borders.from) found.push('is whole too early');
  if (error && at >= borders.to && !whole.result.error) found.push('is no longer whole');
  if (error && !/^[A-Z].{15,}\.$/s.test(error.message)) found.push(`says “${error.message}”`);
  if (error && !/^[A-Z].{5,}\.$/s.test(error.hint ?? '')) found.push(`advises “${error.hint}”`);
  if (error && !(error.code in errorStatus)) found.push(`has the code “${error.code}”`);
  const written = (round: Round) =>
    JSON.stringify(round.result.calls.map((call) => call.arguments));
  if (!error && written(cut) !== written(whole)) found.push(`has ${calls.length} other calls`);
  return found;
}

/** Every word is one of the whole, and what misses some is not complete. */
function blockProblems({ answer: cut, result }: Round, { answer: whole }: Round): string[] {
  const found = cut.blocks.filter(isBlockOpen).map(({ type }) => `${type} is still open`);
  for (const type of ['main_text', 'thinking'] as const) {
    const [some, all] = [cut, whole].map(({ blocks }) => blocks.filter((b) => b.type === type));
    for (const [index, { content, status }] of (some ?? []).entries()) {
      const full = all?.[index]?.content;
      if (!full?.startsWith(content)) found.push(`${type} has words of its own`);
      else if (result.error && content !== full && status === 'success')
        found.push(`cut ${type} is complete`);
    }
  }
  const searches = (message: Message) => new Set(message.blocks.flatMap(searchOf(message)));
  for (const search of result.error ? searches(cut) : [])
    if (!searches(whole).has(search)) found.push(`cut search is complete: ${search}`);
  return found;
}

/** A search that came to its end: what was searched for, and how many sources it has. */
function searchOf({ blocks }: Message) {
  return (block: Block): string[] => {
    if (block.type !== 'tool' || block.status !== 'success') return [];
    const sources = blocks.flatMap((other) =>
      other.type === 'citation' && other.toolBlockId === block.id ? other.citations : [],
    );
    return [`${block.id} ${JSON.stringify(block.arguments)} ${sources.length}`];
  };
}

function furtherStreams(
  vendor: OwnStream['vendor'],
  kind: string,
  streams: Record<string, unknown[]>,
): Stream[] {
  return Object.entries(streams).map(([name, events]) => ({
    name: `as ${vendor}: ${name}`,
    vendor,
    kind,
    bytes: bytesOf(vendor, events),
  }));
}
