import { randomUUIDv7 } from 'node:crypto';
import { clientCallId } from '#shared/answer/client-calls.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { sanitiseText } from '#shared/text/text.ts';
import { type Block, mediaBlockType } from '#shared/vocabulary/block.ts';
import { isJsonObject, jsonExcess, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { StoredBlob } from '#shared/vocabulary/ports.ts';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import { othersFirst } from '#store/database/slices.ts';
import type { Store } from '#store/database/store.ts';
import { sanitiseArguments } from '../calls/sanitise-arguments.ts';
import { storeResult } from '../calls/stored-results.ts';
import { blockId, type NewBlock } from '../topic/block-manager.ts';
import type { Brought, BroughtPart } from './run-request.ts';

interface BroughtDeps {
  store: Store;
  blobs: Blobs;
  limits: Limits;
  /** An image at a URL that a program named. */
  fetchPicture: (url: string) => Promise<{ mimeType: string; bytes: Uint8Array }>;
}

/** Where a history is stored, after which message, and the origins of its untrusted parts. */
interface Place {
  owner: string;
  topicId: string;
  parentId: string | null;
  at: number;
  origins: Origin[];
}

const maxAddresses = 100;
/** Entries of a long history that become messages before other work gets its turn. */
const entriesAtOnce = 500;
/** Characters of a call after which other work gets its turn. */
const longArguments = 64 * 1024;

type BroughtAssistant = Extract<Brought, { role: 'assistant' }>;
type BroughtResult = Extract<Brought, { role: 'tool' }>;

/** Turns a history into messages of a topic, each after the one before. Its files are durable when it resolves. */
export async function toMessages(
  deps: BroughtDeps,
  said: readonly Brought[],
  place: Place,
): Promise<Message[]> {
  assertFewAddresses(said.flatMap((entry) => (entry.role === 'assistant' ? [] : entry.parts)));
  const [first] = said;
  if (first?.role === 'tool') throw strayResult(first.callId);
  const messages: Message[] = [];
  let { parentId, at } = place;
  for (const [index, entry] of said.entries()) {
    if (entry.role === 'tool') continue;
    const results = resultsAfter(said, index);
    const blocks =
      entry.role === 'user'
        ? await userBlocks(deps, entry.parts, place)
        : await assistantBlocks(deps, entry, results, place);
    const message = toMessage(entry.role, blocks, { ...place, parentId, at });
    messages.push(message);
    parentId = message.id;
    at += 1;
    if (messages.length % entriesAtOnce === 0) await othersFirst();
  }
  return messages;
}

/** This host fetches each of them, so that one request must not name thousands. */
export function assertFewAddresses(parts: readonly BroughtPart[]): void {
  if (parts.filter(({ type }) => type === 'address').length <= maxAddresses) return;
  throw new CeriseError(
    'invalid_request',
    say('many-pictures')`A request can name up to ${maxAddresses} images by their URLs.`,
  );
}

/** A copy of our answer in which the program's calls have the results that it sent. */
export async function withResults(
  deps: BroughtDeps,
  answer: Message,
  results: readonly BroughtResult[],
  place: Place,
): Promise<Message> {
  const byId = new Map(results.map((result) => [result.callId, result]));
  const id = randomUUIDv7();
  const blocks: Block[] = [];
  for (const block of answer.blocks) {
    const result =
      block.type === 'tool' && block.client ? byId.get(clientCallId(block)) : undefined;
    const stored = result && (await toResult(deps, result, place));
    const own = { id: blockId(id, block.ordinal), messageId: id };
    blocks.push(
      stored && block.type === 'tool'
        ? { ...block, ...own, result: stored, ...untrusted(place) }
        : { ...block, ...own },
    );
  }
  const { usage: _, ...rest } = answer;
  return { ...rest, id, createdAt: place.at, endedAt: place.at, blocks };
}

/** The results that follow an answer, up to the next message. Throws if one belongs to none of its calls. */
export function resultsAfter(said: readonly Brought[], index: number): BroughtResult[] {
  const results: BroughtResult[] = [];
  for (let next = index + 1; next < said.length; next += 1) {
    const after = said[next];
    if (after?.role !== 'tool') break;
    results.push(after);
  }
  const entry = said[index];
  const calls = new Set(entry?.role === 'assistant' ? entry.calls.map(({ callId }) => callId) : []);
  const stray = results.find(({ callId }) => !calls.has(callId));
  if (stray) throw strayResult(stray.callId);
  return results;
}

/** The error for a result without its call. */
export function strayResult(callId: string): CeriseError {
  return new CeriseError(
    'invalid_request',
    say('stray-result')`The result for ${callId.slice(0, 100)} doesn't follow a call with this ID.`,
  );
}

function toMessage(role: Message['role'], blocks: NewBlockWithText[], place: Place): Message {
  const { topicId, parentId, at } = place;
  const id = randomUUIDv7();
  const whole = { messageId: id, startedAt: at, endedAt: at };
  return {
    id,
    topicId,
    parentId,
    role,
    status: 'success',
    createdAt: at,
    endedAt: at,
    blocks: blocks.map((block, ordinal) => ({
      ...whole,
      round: 0,
      ...block,
      id: blockId(id, ordinal),
      ordinal,
    })),
  };
}

type NewBlockWithText = NewBlock & { content: string };

async function userBlocks(
  deps: BroughtDeps,
  parts: BroughtPart[],
  place: Place,
): Promise<NewBlockWithText[]> {
  const blocks: NewBlockWithText[] = [];
  for (const part of parts) {
    // Attachments are the user's own; an image at a URL is someone else's.
    const origins = part.type === 'address' ? place.origins : [];
    if (part.type === 'text')
      blocks.push({ type: 'main_text', status: 'success', content: sanitiseText(part.text) });
    else blocks.push(fileBlock(await keepFile(deps, part, { ...place, origins })));
  }
  return blocks;
}

function fileBlock({ id, size, mimeType, name, origins }: StoredBlob): NewBlockWithText {
  return {
    type: mediaBlockType(mimeType),
    status: 'success',
    content: '',
    mimeType,
    stored: { id, size },
    ...(name !== undefined && { name }),
    ...(origins && { origins }),
  };
}

/** Stores a file; for one that is stored already, adds a reference of the topic. Throws `file_not_found`. */
async function keepFile(
  { store, blobs, fetchPicture }: BroughtDeps,
  part: Exclude<BroughtPart, { type: 'text' }>,
  { owner, topicId, origins }: Pick<Place, 'owner' | 'topicId' | 'origins'>,
): Promise<StoredBlob> {
  if (part.type === 'stored')
    return store.transaction((tx) => blobs.attach(tx, owner, part.id, topicId, origins));
  const { mimeType, bytes } = part.type === 'file' ? part : toPieces(await fetchPicture(part.url));
  const name = part.type === 'file' ? part.name : undefined;
  return blobs.keep(piecesOf(bytes), {
    owner,
    topicId,
    mimeType,
    ...(name !== undefined && { name }),
    ...(origins.length > 0 && { origins }),
  });
}

function toPieces({ mimeType, bytes }: { mimeType: string; bytes: Uint8Array }) {
  return { mimeType, bytes: [bytes] };
}

/** Bytes in pieces, as the content of a blob. */
export async function* piecesOf(pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function assistantBlocks(
  deps: BroughtDeps,
  { text, calls }: BroughtAssistant,
  results: BroughtResult[],
  place: Place,
): Promise<NewBlockWithText[]> {
  const { origins } = place;
  const blocks: NewBlockWithText[] = [];
  if (text.trim() !== '')
    blocks.push({
      type: 'main_text',
      status: 'success',
      content: sanitiseText(text),
      ...(origins.length > 0 && { origins }),
    });
  const byId = new Map(results.map((result) => [result.callId, result]));
  for (const call of calls) {
    const result = byId.get(call.callId);
    const stored = result && (await toResult(deps, result, place));
    blocks.push({ ...callBlock(call), ...(stored && { result: stored, ...untrusted(place) }) });
    if (call.arguments.length > longArguments) await othersFirst();
  }
  return blocks;
}

/** A call that the program ran itself, according to its history. */
function callBlock({ callId, toolName, arguments: raw }: BroughtAssistant['calls'][number]) {
  const name = sanitiseText(toolName);
  return {
    type: 'tool',
    status: 'success',
    content: sanitiseText(raw),
    toolCallId: randomUUIDv7(),
    callId: sanitiseText(callId),
    serverId: 'client',
    serverName: '',
    toolName: name,
    modelToolName: name,
    client: true,
    arguments: argumentsOf(raw),
    state: 'succeeded',
  } as const;
}

/** Limits of a program's call: within them it is read, stored and sent in a few hundredths of a second. */
const callBounds = { depth: 200, parts: 20_000, fields: 10_000 };

function argumentsOf(raw: string): JsonObject {
  if (jsonExcess(raw, callBounds)) throw tooMuchInCall();
  const value = parseJson(raw);
  return isJsonObject(value) ? sanitiseArguments(value) : {};
}

function tooMuchInCall(): CeriseError {
  const { depth, parts } = callBounds;
  return new CeriseError(
    'invalid_request',
    say(
      'call-parts',
    )`The arguments of a tool call can have up to ${parts} objects, lists and fields, nested up to ${depth} levels deep.`,
  );
}

function untrusted({ origins }: Place): { untrusted?: true } {
  return origins.length > 0 ? { untrusted: true } : {};
}

/** A result that a program sent; it never counts as one of ours. */
async function toResult(deps: BroughtDeps, said: BroughtResult, place: Place): Promise<ToolResult> {
  const content: ContentPart[] = [];
  for (const part of said.parts) {
    if (part.type === 'text') content.push({ type: 'text', text: sanitiseText(part.text) });
    else content.push(await mediaOfResult(deps, part, place));
  }
  const result: ToolResult = { content, ...(said.isError && { isError: true }) };
  const { owner, topicId, origins } = place;
  return storeResult(result, deps, { owner, topicId, origins });
}

async function mediaOfResult(
  deps: BroughtDeps,
  part: Exclude<BroughtPart, { type: 'text' }>,
  place: Place,
): Promise<ContentPart> {
  const { id, size, mimeType, name } = await keepFile(deps, part, place);
  const stored = { id, size };
  if (mimeType.startsWith('image/')) return { type: 'image', data: '', mimeType, stored };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data: '', mimeType, stored };
  return {
    type: 'resource',
    resource: { uri: `file:///${name ?? id}`, mimeType, blob: '' },
    stored,
  };
}
