import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { classifyModelError } from '#models/failures/model-errors.ts';
import { toCallOptions } from '#models/sdk/call-options.ts';
import { ChunkMapper } from '#models/sdk/chunk-mapper.ts';
import type { Wire, WireReader } from '#models/wires/wire.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelRequest } from '#shared/vocabulary/model.ts';

type Fetch = typeof globalThis.fetch;

/** The events of a vendor as they stand on the wire. */
export function toSse(events: readonly unknown[]): string {
  return events
    .map((event) => {
      const { type } = event as { type?: unknown };
      const name = typeof type === 'string' ? `event: ${type}\n` : '';
      return `${name}data: ${JSON.stringify(event)}\n\n`;
    })
    .join('');
}

/** What a wire of ours makes of events; the error it throws is not caught. */
export function readWithWire(wire: Wire, events: readonly unknown[]): Chunk[] {
  const chunks: Chunk[] = [];
  const reader = wire.createReader((chunk) => chunks.push(chunk));
  feed(reader, events);
  reader.close();
  return chunks;
}

/** What a person is told of the error that a wire of ours finds in events. */
export function errorWithWire(wire: Wire, events: readonly unknown[]) {
  try {
    readWithWire(wire, events);
  } catch (error) {
    return classifyModelError(error);
  }
  throw new Error('nothing was thrown');
}

/** Gives events to a reader, one by one. */
export function feed(reader: WireReader, events: readonly unknown[]): void {
  for (const event of events) reader.read({ event: '', data: JSON.stringify(event) });
}

/** What the AI SDK and the chunk mapper make of the same events. */
export async function readWithOracle(
  createModel: (fetch: Fetch) => LanguageModelV4,
  events: readonly unknown[],
): Promise<Chunk[]> {
  const answer = () =>
    new Response(toSse(events), { headers: { 'content-type': 'text/event-stream' } });
  const model = createModel(async () => answer());
  const { stream } = await model.doStream(toCallOptions(emptyRequest, signal));
  const chunks: Chunk[] = [];
  const mapper = new ChunkMapper((chunk) => chunks.push(chunk));
  const signatures = new Map<string, string>();
  for await (const part of stream) {
    noteSignature(part, signatures);
    if (!mapper.finished) mapper.step(part);
  }
  return chunks.map((chunk) => {
    if (chunk.type !== 'tool-pending' || chunk.signature !== undefined) return chunk;
    const signature = signatures.get(chunk.callId);
    return signature === undefined ? chunk : { ...chunk, signature };
  });
}

/** The body of the request that the AI SDK would send. */
export async function requestOfOracle(
  createModel: (fetch: Fetch) => LanguageModelV4,
  request: ModelRequest,
): Promise<unknown> {
  let body: unknown;
  const model = createModel(async (_url, init) => {
    body = JSON.parse(init?.body as string);
    throw new Error('not answered');
  });
  await Promise.resolve(model.doStream(toCallOptions(request, signal))).catch(() => undefined);
  return body;
}

/** The recorded streams of a vendor, where they are beside the project. */
export function recordedStreams(vendor: string): [name: string, events: unknown[]][] {
  const folder = new URL(`../../../shared/recordings/${vendor}/`, import.meta.url);
  if (!existsSync(folder)) {
    console.warn(`Skipped: no recorded streams of ${vendor} beside the repository.`);
    return [];
  }
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names.map((name) => {
    const lines = readFileSync(new URL(name, folder), 'utf8').trim().split('\n');
    return [name, lines.map((line) => JSON.parse(line) as unknown)];
  });
}

/** Chunks with call ids in the order of their appearance, for vendors that give none. */
export function withPlainCallIds(chunks: Chunk[]): Chunk[] {
  const seen: string[] = [];
  return chunks.map((chunk) => {
    if (!('callId' in chunk)) return chunk;
    if (!seen.includes(chunk.callId)) seen.push(chunk.callId);
    return { ...chunk, callId: `call ${seen.indexOf(chunk.callId)}` };
  });
}

/** What is wrong with the order of chunks, whole or cut; undefined when nothing is. */
export function balanceProblem(chunks: Chunk[]): string | undefined {
  const open = new Set<string>();
  for (const chunk of chunks) {
    const [, part, step] = /^(text|thinking|vendor-tool|image)-(.+)$/.exec(chunk.type) ?? [];
    if (part === undefined || !('id' in chunk)) continue;
    const key = `${part} ${chunk.id}`;
    if (step === 'start' || step === 'created' || step === 'in-progress') {
      if (open.has(key)) return `${key} began twice`;
      open.add(key);
    } else if (!open.has(key)) return `${key} was not open at ${chunk.type}`;
    if (step === 'complete') open.delete(key);
  }
  if (chunks.length > 0 && chunks[0]?.type !== 'response-created') return 'no beginning';
  return open.size === 0 ? undefined : `still open: ${[...open].join(', ')}`;
}

const { signal } = new AbortController();
const emptyRequest: ModelRequest = {
  purpose: 'answer',
  system: '',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Q' }] }],
  tools: [],
  parameters: {},
};

/** That a call was not made by other code says nothing. */
function noteSignature(part: LanguageModelV4StreamPart, signatures: Map<string, string>): void {
  if (part.type !== 'tool-call' || part.providerExecuted || !part.providerMetadata) return;
  const json = JSON.stringify(part.providerMetadata);
  if (json !== '{"anthropic":{"caller":{"type":"direct"}}}') signatures.set(part.toolCallId, json);
}
