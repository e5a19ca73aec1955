import { createGoogleGenerativeAI } from '@ai-sdk/google';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { classifyModelError } from '../../failures/model-errors.ts';
import { answer, googleStreams } from '../../../../test/fakes/google-streams.ts';
import {
  balanceProblem,
  errorWithWire,
  feed,
  readWithOracle,
  readWithWire,
  recordedStreams,
  withPlainCallIds,
} from '../../../../test/fakes/wire-oracle.ts';
import { googleGenerate } from './google-generate.ts';

const read = (...events: unknown[]) => readWithWire(googleGenerate, events);
const oracle = (events: unknown[]) =>
  readWithOracle(
    (fetch) => createGoogleGenerativeAI({ apiKey: 'k', fetch })('gemini-3-pro-preview'),
    events,
  );
const errorOf = (...events: unknown[]) => errorWithWire(googleGenerate, events);

/** The AI SDK does not tell what was searched for. */
function withoutQueries(chunk: Chunk): Chunk {
  if (chunk.type !== 'vendor-tool-complete' || !chunk.arguments?.['queries']) return chunk;
  const { arguments: _, ...rest } = chunk;
  return rest;
}

const streams = [...Object.entries(googleStreams), ...recordedStreams('google')];

describe('a stream of Google', () => {
  it.each(streams)('gives what the AI SDK gives: %s', async (_name, events) => {
    const chunks = read(...events);
    expect(withPlainCallIds(chunks.map(withoutQueries))).toEqual(
      withPlainCallIds(await oracle(events)),
    );
    expect(chunks.at(-1)?.type).toBe('response-complete');
    expect(balanceProblem(chunks)).toBeUndefined();
  });

  it.each(streams)('can be cut after every event: %s', (_name, events) => {
    const end = events.findIndex((event) => JSON.stringify(event).includes('"finishReason"'));
    for (let at = 0; at < events.length; at += 1) {
      const cut = read(...events.slice(0, at));
      expect(balanceProblem(cut)).toBeUndefined();
      expect(cut.at(-1)?.type === 'response-complete').toBe(at > end);
    }
  });

  it('stays balanced whatever is left out, doubled or out of order', () => {
    const events = streams.flatMap(([, events]) => events.slice(0, 40));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 40 }), (chosen) => {
        const chunks: Chunk[] = [];
        const reader = googleGenerate.createReader((chunk) => chunks.push(chunk));
        try {
          feed(reader, chosen);
        } catch (error) {
          expect(classifyModelError(error).code).toMatch(/^model_(refused|failed)$/);
        }
        reader.close();
        expect(balanceProblem(chunks)).toBeUndefined();
        const ids = chunks.flatMap((chunk) =>
          chunk.type === 'tool-pending' ? [chunk.callId] : [],
        );
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 300 },
    );
  });

  it('survives fields of any kind', () => {
    const field = fc.oneof(fc.jsonValue(), fc.constant(''), fc.constant({}));
    const part = fc.oneof(
      field,
      fc.dictionary(
        fc.constantFrom(
          'text',
          'thought',
          'thoughtSignature',
          'functionCall',
          'inlineData',
          'executableCode',
          'codeExecutionResult',
        ),
        field,
      ),
    );
    const candidate = fc.record({
      content: fc.oneof(field, fc.record({ parts: fc.oneof(field, fc.array(part)) })),
      groundingMetadata: fc.oneof(field, fc.record({ groundingChunks: fc.array(field) })),
      finishReason: fc.constantFrom(undefined, 'STOP', 'NEW', 7),
    });
    const event = fc.record({
      candidates: fc.oneof(field, fc.array(candidate, { maxLength: 2 })),
      usageMetadata: field,
      promptFeedback: field,
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 10 }), (events) => {
        const chunks: Chunk[] = [];
        const reader = googleGenerate.createReader((chunk) => chunks.push(chunk));
        try {
          feed(reader, events);
        } catch (error) {
          expect(error).toBeInstanceOf(CeriseError);
        }
        reader.close();
        expect(balanceProblem(chunks)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('keeps what signs thoughts and calls in the form the history gives back', () => {
    const [thoughts, calls] = [
      'thoughts, text and thoughts again',
      'signed and unsigned calls at once',
    ];
    expect(
      read(...googleStreams[thoughts]!).flatMap((chunk) =>
        chunk.type === 'thinking-complete' ? [chunk.signature] : [],
      ),
    ).toEqual([
      '{"google":{"thoughtSignature":"dGhvdWdodA=="}}',
      undefined,
      '{"google":{"thoughtSignature":"ZW1wdHk="}}',
    ]);
    const pending = read(...googleStreams[calls]!).filter(({ type }) => type === 'tool-pending');
    expect(pending).toMatchObject([
      { arguments: { city: 'Paris' }, signature: '{"google":{"thoughtSignature":"Y2FsbA=="}}' },
      { arguments: { city: '東京' } },
      { arguments: {}, toolName: 'now' },
      { arguments: {}, toolName: 'none' },
    ]);
    expect(pending[1]).not.toHaveProperty('signature');
  });

  it('makes call ids that no other answer has, and keeps the vendor’s', () => {
    const ids = (events: unknown[]) =>
      read(...events).flatMap((chunk) => (chunk.type === 'tool-created' ? [chunk.callId] : []));
    const unnamed = [answer([{ functionCall: { name: 'now' } }], 'STOP')];
    expect(ids(unnamed)).not.toEqual(ids(unnamed));
    expect(ids(googleStreams['calls with ids of the vendor']!)).toEqual(['fc-1']);
    const twice = [
      answer([{ functionCall: { id: 'a', name: 'x' } }, { functionCall: { id: 'a', name: 'x' } }]),
    ];
    expect(ids(twice)).toEqual(['a', 'a-2']);
  });

  it('shows code that was run and what came out of it', () => {
    const chunks = read(
      answer([{ text: 'Let me count.' }]),
      answer([{ executableCode: { language: 'PYTHON', code: 'print(3)' } }]),
      answer([{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '3\n' } }]),
      answer([{ text: 'Three.' }], 'STOP'),
    );
    expect(balanceProblem(chunks)).toBeUndefined();
    const said = chunks.filter(({ type }) => /^text-delta$|^vendor-tool/.test(type));
    const args = { code: 'print(3)', language: 'python' };
    expect(said).toMatchObject([
      { text: 'Let me count.' },
      { type: 'vendor-tool-start', toolName: 'code_execution', arguments: args },
      { type: 'vendor-tool-complete', result: { content: [{ text: '3\n' }] } },
      { text: 'Three.' },
    ]);
  });

  it('gives files with their type, and images alone as images', () => {
    const chunks = read(...googleStreams['files that are no images']!);
    expect(chunks.slice(1, -1)).toEqual([
      { type: 'file-complete', id: 'file-0', mimeType: 'application/pdf', data: 'JVBERi0=' },
      { type: 'file-complete', id: 'file-1', mimeType: 'video/mp4', data: 'AQID' },
    ]);
  });

  it('puts pieces of sound together as one file that can be played', () => {
    const chunks = read(...googleStreams['sound in pieces']!);
    const [file, ...more] = chunks.filter((chunk) => chunk.type === 'file-complete');
    expect([more, file?.mimeType]).toEqual([[], 'audio/wav']);
    const bytes = Buffer.from(file?.data ?? '', 'base64');
    expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12)).toBe('RIFFWAVE');
    expect([bytes.readUInt32LE(4), bytes.readUInt32LE(24), bytes.readUInt32LE(40)]).toEqual([
      40, 16_000, 4,
    ]);
    expect([...bytes.subarray(44)]).toEqual([1, 2, 3, 4]);
    const piece = { inlineData: { mimeType: 'audio/L16', data: 'AQI=' } };
    const picture = { inlineData: { mimeType: 'image/png', data: 'AQID' } };
    const order = read(answer([piece, picture, piece], 'STOP')).map(({ type }) => type);
    expect(order.filter((type) => /^(file|image)-complete$/.test(type))).toEqual([
      'file-complete',
      'image-complete',
      'file-complete',
    ]);
  });

  it('keeps what signs a text, wherever it stands, and an image', () => {
    const signed = (signature: string) => ({
      signature: `{"google":{"thoughtSignature":"${signature}"}}`,
    });
    const ends = (name: string) =>
      read(...googleStreams[name]!).filter(({ type }) => /^(text|image)-complete$/.test(type));
    expect(ends('text only')).toMatchObject([signed('dGV4dA==')]);
    expect(ends('thoughts, text and thoughts again')[0]).toMatchObject(signed('dGV4dA=='));
    const [, image, after] = ends('an image between words');
    expect(image).toMatchObject({ type: 'image-complete', ...signed('aW1n') });
    expect(after).not.toHaveProperty('signature');
  });

  it('shows pages that were read and works that were quoted as sources', () => {
    const chunks = read(
      answer([{ text: 'a' }], undefined, {
        citationMetadata: {
          citationSources: [
            { startIndex: 0, endIndex: 9, uri: 'https://a.example/', license: 'mit' },
            { startIndex: 9, endIndex: 12 },
          ],
        },
      }),
      answer([{ text: 'b' }], 'STOP', {
        citationMetadata: { citations: [{ uri: 'https://b.example/', title: 'B' }] },
        urlContextMetadata: {
          urlMetadata: [
            {
              retrievedUrl: 'https://c.example/',
              urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS',
            },
            {
              retrievedUrl: 'https://d.example/',
              urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR',
            },
          ],
        },
      }),
    );
    expect(chunks.find(({ type }) => type === 'vendor-tool-complete')).toMatchObject({
      citations: [
        { url: 'https://a.example/' },
        { url: 'https://c.example/' },
        { url: 'https://b.example/', title: 'B' },
      ],
    });
  });

  it('ends a call whose arguments were still coming with the answer, and not where it is cut', () => {
    const begun = answer([{ functionCall: { name: 'find', willContinue: true } }]);
    const more = answer([
      {
        functionCall: {
          partialArgs: [{ jsonPath: '$.for', stringValue: 'a b', willContinue: true }],
          willContinue: true,
        },
      },
    ]);
    const calls = (...events: unknown[]) =>
      read(...events).filter(({ type }) => type === 'tool-pending');
    expect(calls(begun, more)).toEqual([]);
    expect(calls(begun, more, answer([], 'STOP'))).toMatchObject([{ arguments: { for: 'a b' } }]);
  });

  it('names documents that are no pages, and leaves out what is neither', () => {
    const groundingChunks = [
      { retrievedContext: { uri: 'gs://bucket/a.pdf', title: 'A', text: 'Said so.' } },
      { retrievedContext: { uri: 'https://b.example/', title: 'B' } },
      { web: { uri: 'javascript:alert(1)' } },
      {},
      null,
    ];
    const chunks = read(
      answer([{ text: 'a' }], 'STOP', { groundingMetadata: { groundingChunks } }),
    );
    expect(chunks.at(-2)).toEqual({
      type: 'vendor-tool-complete',
      id: 'sources',
      citations: [
        { title: 'A', snippet: 'Said so.' },
        { url: 'https://b.example/', title: 'B' },
      ],
    });
  });

  it.each(['webSearchQueries', 'imageSearchQueries', 'retrievalQueries'])(
    'T95: shows a search of which only the words are told: %s',
    (field) => {
      const groundingMetadata = { [field]: ['cherries', 'blossom'] };
      const chunks = read(answer([{ text: 'a' }], 'STOP', { groundingMetadata }));
      expect(chunks.slice(-3, -1)).toEqual([
        { type: 'vendor-tool-start', id: 'sources', toolName: 'web_search' },
        {
          type: 'vendor-tool-complete',
          id: 'sources',
          arguments: { queries: ['cherries', 'blossom'] },
          citations: [],
        },
      ]);
    },
  );

  it.each([
    ['SAFETY', 'model_refused'],
    ['RECITATION', 'model_refused'],
    ['PROHIBITED_CONTENT', 'model_refused'],
    ['IMAGE_SAFETY', 'model_refused'],
    ['MALFORMED_FUNCTION_CALL', 'model_failed'],
    ['UNEXPECTED_TOOL_CALL', 'model_failed'],
    ['NO_IMAGE', 'model_failed'],
    ['OTHER', 'model_failed'],
    ['SOMETHING_NEW', 'model_failed'],
  ])('throws when nothing was said because of %s', (reason, code) => {
    const details = { reason, vendorMessage: 'Because.' };
    expect(errorOf(answer([], reason, { finishMessage: 'Because.' }))).toMatchObject({
      code,
      details,
    });
  });

  it('throws for a call that could not be read, even after words, but keeps other answers', () => {
    expect(errorOf(answer([{ text: 'a' }], 'MALFORMED_FUNCTION_CALL')).code).toBe('model_failed');
    expect(read(answer([{ text: 'a' }], 'UNEXPECTED_TOOL_CALL')).at(-1)).toMatchObject({
      finishReason: 'other',
    });
  });

  it('throws for an answer without a word, thoughts or not', () => {
    const thought = answer([{ text: 'hm', thought: true }]);
    const empty = { code: 'model_failed', details: { reason: 'empty_answer' } };
    expect(errorOf(answer([], 'STOP'))).toMatchObject(empty);
    expect(errorOf(thought, answer([], 'STOP'))).toMatchObject(empty);
    expect(errorOf(thought, answer([], 'MAX_TOKENS')).message).toMatch(/maximum output length/);
  });

  it('tells an answer without a candidate from one that was cut', () => {
    const reader = googleGenerate.createReader(() => {});
    expect(reader.unfinished).toBeUndefined();
    feed(reader, [{ usageMetadata: { promptTokenCount: 3 } }]);
    expect(reader.unfinished?.message).toMatch(/an empty answer/);
    feed(reader, [answer([{ text: 'a' }])]);
    expect(reader.unfinished).toBeUndefined();
  });

  it('throws when the question was blocked', () => {
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
    expect(errorOf(blocked)).toMatchObject({
      code: 'model_refused',
      details: { reason: 'PROHIBITED_CONTENT' },
    });
    const fine = { promptFeedback: { blockReason: 'BLOCKED_REASON_UNSPECIFIED' } };
    expect(read(fine, answer([{ text: 'a' }], 'STOP')).at(-1)?.type).toBe('response-complete');
  });

  it.each([
    [{ code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota' }, 'model_rate_limited'],
    [{ status: 'UNAVAILABLE', message: 'Overloaded' }, 'model_failed'],
    [{ code: 403, status: 'PERMISSION_DENIED', message: 'No' }, 'model_unauthorized'],
    [
      { code: 400, status: 'INVALID_ARGUMENT', message: 'API key not valid.' },
      'model_unauthorized',
    ],
    [{ code: 400, status: 'INVALID_ARGUMENT', message: 'No such field.' }, 'model_failed'],
    [{}, 'model_failed'],
  ])('throws the vendor’s error %j', (error, code) => {
    expect(errorOf(answer([{ text: 'a' }]), { error })).toMatchObject({ code });
  });

  it('knows a failure by its name alone, and does not finish an answer that ended with one', () => {
    const error = { status: 'UNAVAILABLE', message: 'Overloaded' };
    expect(errorOf({ error })).toMatchObject({ details: { status: 503 } });
    const chunks: Chunk[] = [];
    const reader = googleGenerate.createReader((chunk) => chunks.push(chunk));
    feed(reader, [answer([{ text: 'a' }], 'STOP')]);
    expect(reader.settled).toBe(true);
    expect(() => feed(reader, [{ error }])).toThrow('Overloaded');
    reader.close();
    expect([reader.finished, chunks.at(-1)?.type]).toEqual([false, 'text-complete']);
  });

  it('says how long to wait where the vendor does', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }];
    const error = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota', details };
    expect(errorOf({ error })).toMatchObject({ details: { retryAfter: 34.5, status: 429 } });
  });
});
