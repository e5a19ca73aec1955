import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelAdapter, ModelRequest } from '#shared/vocabulary/model.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import { openBytes, sealBytes } from '#store/configuration/secrets.ts';
import { hashOfPart, type SealedRecord } from '#store/conversations/records.ts';
import { damagedRecord, fromJson } from '#store/database/json.ts';

/** A model without its answers. */
export type ModelFacts = Omit<ModelAdapter, 'stream'>;
/** A tool without its functions, which JSON leaves out. */
export type ToolFacts = Omit<Tool, 'execute' | 'recorded'>;

/** One request to the model of a turn, and what came back. */
export interface RecordedRequest {
  request: ModelRequest;
  batches: Chunk[][];
  /** False: the answer was stopped before the model had ended. */
  isWhole: boolean;
  /** Of the first request of a turn: its model and its tools. */
  turn?: { model: ModelFacts; tools: readonly ToolFacts[] } | undefined;
}

/** How it is stored: with references to the parts that many requests share. */
interface Body extends Pick<RecordedRequest, 'batches' | 'isWhole'> {
  /** With its fields in their order, so that its bytes are reproduced. */
  request: Omit<ModelRequest, 'messages' | 'tools'> & { messages: string[]; tools: string[] };
  turn?: { model: ModelFacts; tools: string[] };
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** A request as it is stored, and its parts as JSON by their hashes. */
export function splitRequest(
  { request, batches, isWhole, turn }: RecordedRequest,
  topicId: string,
): { body: Body; parts: Map<string, string> } {
  const parts = new Map<string, string>();
  const toPart = (value: unknown): string => {
    const json = JSON.stringify(value);
    const hash = hashOfPart(topicId, json);
    parts.set(hash, json);
    return hash;
  };
  const body: Body = {
    request: {
      ...request,
      messages: request.messages.map(toPart),
      tools: request.tools.map(toPart),
    },
    batches,
    isWhole,
    ...(turn && { turn: { model: turn.model, tools: turn.tools.map(toPart) } }),
  };
  return { body, parts };
}

/** Compresses JSON and seals it for its topic. */
export async function sealJson(key: Buffer, topicId: string, json: string): Promise<Buffer> {
  return sealBytes(key, await compress(json), contextOf(topicId));
}

/**
 * The requests of records; what several have in common is one object. Throws `data_unreadable` where a part is gone or
 * damaged.
 */
export async function joinRequests(
  key: Buffer,
  topicId: string,
  records: readonly SealedRecord[],
  parts: ReadonlyMap<string, Uint8Array>,
): Promise<RecordedRequest[]> {
  const known = new Map<string, Promise<unknown>>();
  const read = async (sealed: Uint8Array | undefined): Promise<unknown> => {
    if (!sealed) throw damagedRecord(new Error('a part of a record is gone'));
    return fromJson((await unseal(key, topicId, sealed)).toString());
  };
  const part = (hash: string): Promise<unknown> => {
    const reading = known.get(hash) ?? read(parts.get(hash));
    known.set(hash, reading);
    return reading;
  };
  const all = async <T>(hashes: readonly string[]): Promise<T[]> =>
    (await Promise.all(hashes.map(part))) as T[];
  const join = async ({ body }: SealedRecord): Promise<RecordedRequest> => {
    const { request, turn, ...rest } = (await read(body)) as Body;
    return {
      ...rest,
      request: {
        ...request,
        messages: await all(request.messages),
        tools: await all(request.tools),
      },
      ...(turn && { turn: { model: turn.model, tools: await all(turn.tools) } }),
    };
  };
  return Promise.all(records.map(join));
}

async function unseal(key: Buffer, topicId: string, sealed: Uint8Array): Promise<Buffer> {
  try {
    return await decompress(openBytes(key, sealed, contextOf(topicId)));
  } catch {
    // The cipher's error names nothing useful, so only the size is reported.
    throw damagedRecord(new Error(`${sealed.length} bytes that are no record of ours`));
  }
}

function contextOf(topicId: string): string {
  return `records/${topicId}`;
}
