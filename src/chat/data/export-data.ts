import type { ExportLine } from '#shared/api/export-file.ts';
import { mapSecrets } from '#shared/api/server-secrets.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import { CeriseError, isUnreadable } from '#shared/errors/errors.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { SecretBox, StoredBlob } from '#shared/vocabulary/ports.ts';
import { serverAuthSecrets } from '#shared/vocabulary/server-auth.ts';
import type { ServerConfig, ServerRecord } from '#shared/vocabulary/server.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import { listDirectCalls } from '#store/calls/direct-calls.ts';
import { getToolCall } from '#store/calls/tool-calls.ts';
import { listAssistants } from '#store/configuration/assistants.ts';
import { listServers } from '#store/configuration/servers.ts';
import { filesOfTopic, messagesAfter, topicIdsAfter } from '#store/conversations/exports.ts';
import { findTopic, topicOwner } from '#store/conversations/topics.ts';
import { othersFirst, sliceOf } from '#store/database/slices.ts';
import type { Store } from '#store/database/store.ts';
import { toView } from '../calls/call-view.ts';
import { loadStored } from '../calls/stored-results.ts';
import type { Settings } from '../models/settings.ts';
import { type OpenTopic, readOpenTopic, withOpenAnswers } from '../topic/open-topic.ts';
import { topicNotFound } from '../topic/topic-not-found.ts';

/** What an export reads from. */
export interface ExportDeps {
  store: Store;
  blobs: Blobs;
  box: SecretBox;
  settings: Pick<Settings, 'own'>;
  now: () => number;
}

/** A line, loosely: our own rows need no second look. */
type Line = { kind: ExportLine['kind'] } & Record<string, unknown>;

/** Everything of an owner as the lines of an export file, read as they are taken. */
export async function* exportAll(deps: ExportDeps, owner: string): AsyncGenerator<string> {
  const { store, box, settings } = deps;
  yield line({ kind: 'cerise-export', version: 1, exportedAt: deps.now() });
  yield line({ kind: 'settings', settings: await settings.own(owner) });
  const all = await listServers(store.db, box, owner);
  // A bundle is installed again elsewhere: without its bytes its command means nothing.
  const servers = all.filter(({ config }) => config.type !== 'inMemory' && !('bundle' in config));
  for (const server of servers) if (!server.attachedTo) yield serverLine(server);
  for (const assistant of await listAssistants(store.db, owner))
    yield line({ kind: 'assistant', assistant });
  for await (const topicId of topicIds(store, owner)) yield* topicLines(deps, owner, topicId);
  for (const server of servers) if (server.attachedTo) yield serverLine(server);
  yield* callLines(deps, owner);
  yield line({ kind: 'end' });
}

/** One topic as an export file of its own. Throws `topic_not_found` with the first line. */
export async function* exportTopic(
  deps: ExportDeps,
  owner: string,
  topicId: string,
): AsyncGenerator<string> {
  if (!(await findTopic(deps.store.db, owner, topicId))) throw topicNotFound();
  yield line({ kind: 'cerise-export', version: 1, exportedAt: deps.now() });
  yield* topicLines(deps, owner, topicId);
  yield line({ kind: 'end' });
}

async function* topicIds(store: Store, owner: string): AsyncGenerator<string> {
  let page = await topicIdsAfter(store.db, owner, '', 100, { onlyListed: true });
  while (page.length > 0) {
    yield* page;
    page = await topicIdsAfter(store.db, owner, page.at(-1) ?? '', 100, { onlyListed: true });
  }
}

/** Nothing if the topic was deleted in the meantime. What still runs is told as far as it has come. */
async function* topicLines(
  { store, blobs }: ExportDeps,
  owner: string,
  topicId: string,
): AsyncGenerator<string> {
  const read = await readTopic(store, owner, topicId);
  if (!read) return;
  const { isLoading: _, ...fields } = read.topic;
  yield line({ kind: 'topic', topic: fields });
  for (const file of await filesOfTopic(store.db, owner, topicId)) yield* fileLines(blobs, file);
  let place = 0;
  for (;;) {
    const { messages, last } = await messagesAfter(store.db, topicId, place, 20);
    // Looked at afterwards: of a topic that is being swept there would be an end without its beginning.
    if (messages.length === 0 || (await topicOwner(store.db, topicId)) !== owner) return;
    for (const message of withOpenAnswers(messages, read)) yield* messageLines(message);
    place = last;
    await othersFirst();
  }
}

/** One that is damaged is told as far as its rows tell it: the rest is worth having. */
async function readTopic(
  store: Store,
  owner: string,
  topicId: string,
): Promise<Pick<OpenTopic, 'topic' | 'answers'> | undefined> {
  try {
    return await readOpenTopic(store, owner, topicId);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const topic = await findTopic(store.db, owner, topicId);
    return topic && { topic, answers: [] };
  }
}

/** A message with the first of its blocks, and the others on lines of their own, a slice each. */
function* messageLines({ topicId: _, blocks, ...message }: Message): Generator<string> {
  const first = sliceOf(blocks, sizeOf);
  yield line({ kind: 'message', message: { ...message, blocks: first } });
  for (let rest = blocks.slice(first.length); rest.length > 0;) {
    const next = sliceOf(rest, sizeOf);
    yield line({ kind: 'blocks', blocks: next });
    rest = rest.slice(next.length);
  }
}

function sizeOf(block: Block): number {
  return block.content.length + ('data' in block ? (block.data?.length ?? 0) : 0);
}

/** Calls outside of any topic, each with its whole result; one at a time, since results may be large. */
async function* callLines({ store, blobs }: ExportDeps, owner: string): AsyncGenerator<string> {
  for (let after: { id: string; createdAt: number } | undefined; ;) {
    const page = await listDirectCalls(store.db, owner, { limit: 100, after });
    if (page.length === 0) return;
    for (const { id } of page) {
      const call = await readCall(store, blobs, owner, id);
      if (call) yield line({ kind: 'call', call });
    }
    after = page.at(-1);
  }
}

/** Undefined if it was deleted in the meantime, or cannot be read. A result whose bytes are lost keeps its previews. */
async function readCall(
  { db }: Store,
  blobs: Blobs,
  owner: string,
  id: string,
): Promise<ToolCallView | undefined> {
  const record = await getToolCall(db, owner, id).catch(ignoreUnreadable);
  if (!record || record.removedAt !== undefined) return undefined;
  const whole = record.result && (await loadStored(record.result, blobs, owner).catch(ignoreLost));
  return toView({ ...record, ...(whole && { result: whole }) });
}

function ignoreUnreadable(error: unknown): undefined {
  if (!isUnreadable(error)) throw error;
}

function ignoreLost(error: unknown): undefined {
  if (!(error instanceof CeriseError)) throw error;
}

/** Nothing if the bytes are lost: the rest is worth having. */
async function* fileLines(blobs: Blobs, blob: StoredBlob): AsyncGenerator<string> {
  const { id, size, mimeType, name } = blob;
  let bytes: AsyncIterable<Uint8Array>;
  try {
    bytes = await blobs.stream(blob);
  } catch (error) {
    if (error instanceof CeriseError) return;
    throw error;
  }
  yield line({ kind: 'file', file: { id, size, mimeType, ...(name !== undefined && { name }) } });
  for await (const piece of bytes)
    yield line({ kind: 'piece', data: Buffer.from(piece).toString('base64') });
}

function serverLine({ id, config, attachedTo }: ServerRecord): string {
  const server = { id, config: withEmptySecrets(config), ...(attachedTo && { attachedTo }) };
  return line({ kind: 'server', server });
}

/** Names of variables and headers stay, so that a reader sees what is to be filled in. */
function withEmptySecrets(config: ServerConfig): unknown {
  const empty = mapSecrets(config, () => '');
  if (!('auth' in empty) || !empty.auth) return empty;
  return { ...empty, auth: withoutKeys(empty.auth, serverAuthSecrets) };
}

function withoutKeys(value: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

function line(value: Line): string {
  return `${JSON.stringify(value)}\n`;
}
