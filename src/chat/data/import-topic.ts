import { randomUUIDv7 } from 'node:crypto';
import type { ExportLine } from '#shared/api/export-file.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import { takenIds } from '#store/conversations/exports.ts';
import { isBinLike } from '#store/conversations/hidden-topics.ts';
import { insertTopic, updateTopic } from '#store/conversations/topics.ts';
import type { ImportLines } from './import-file.ts';
import { MessageSlices } from './import-messages.ts';
import { asImported } from './import-origins.ts';
import type { Staging } from './staged-import.ts';

type TopicLine = Extract<ExportLine, { kind: 'topic' }>;

/** Passes over the files and messages of a topic that stays out. */
export async function skipTopic(lines: ImportLines): Promise<void> {
  while ((await lines.takeIf('file')) || (await lines.takeIf('piece'))) continue;
  while ((await lines.takeIf('message')) || (await lines.takeIf('blocks'))) continue;
}

/** Brings a topic with its files and messages in, slice by slice, where nobody sees it. */
export async function stageTopic(
  { staging, blobs, owner }: { staging: Staging; blobs: Blobs; owner: string },
  lines: ImportLines,
  { topic }: TopicLine,
): Promise<{ id: string; messages: number; files: number }> {
  const kept = await keepFiles(lines, blobs, owner);
  const id = await staging.write(async (tx) => {
    const isTaken = isBinLike(topic.id) || (await takenIds(tx, 'topics', [topic.id])).size > 0;
    const free = isTaken ? randomUUIDv7() : topic.id;
    // What it was copied from is called otherwise here, if it is here at all.
    const { forkedFrom: _, ...fields } = topic;
    const here = { ...fields, id: free, activeLeafId: null, isLoading: false };
    await insertTopic(tx, staging.owner, here);
    return free;
  });
  const ids = new Map<string, string>();
  for (const [old, file] of kept)
    await staging.write(async (tx) => ids.set(old, (await blobs.attach(tx, owner, file, id)).id));
  const messages = new MessageSlices(staging, { owner, topicId: id }, ids, (block) =>
    asImported(block, id),
  );
  for (let line = await lines.takeIf('message'); line; line = await lines.takeIf('message')) {
    await messages.add(line.message);
    for (let more = await lines.takeIf('blocks'); more; more = await lines.takeIf('blocks'))
      await messages.addBlocks(line.message, more.blocks);
  }
  await messages.flush();
  const activeLeafId = ids.get(topic.activeLeafId ?? '') ?? messages.last;
  if (activeLeafId)
    await staging.write((tx) => updateTopic(tx, staging.owner, id, { activeLeafId }));
  return { id, messages: messages.count, files: kept.size };
}

/** The files of a topic as uploads that no message has taken yet, by their ids in the export. */
async function keepFiles(
  lines: ImportLines,
  blobs: Blobs,
  owner: string,
): Promise<Map<string, string>> {
  const kept = new Map<string, string>();
  for (let line = await lines.takeIf('file'); line; line = await lines.takeIf('file')) {
    const { id, mimeType, name } = line.file;
    const facts = { owner, mimeType, ...(name !== undefined && { name }) };
    kept.set(id, (await blobs.keep(piecesOf(lines), facts)).id);
  }
  return kept;
}

async function* piecesOf(lines: ImportLines): AsyncGenerator<Uint8Array> {
  for (let next = await lines.takeIf('piece'); next; next = await lines.takeIf('piece'))
    yield Buffer.from(next.data, 'base64');
}
