import { describeMedia, mediaOf } from '#models/requests/result-content.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { isTextType } from '#shared/vocabulary/media-input.ts';
import type { ModelMessage, ModelPart } from '#shared/vocabulary/model.ts';
import type { BlobFacts, BlobPort } from '#shared/vocabulary/ports.ts';
import type { BlobRef, ContentPart } from '#shared/vocabulary/tool.ts';
import { headAndTail } from '#tools/results/cut-text.ts';
import { readMoreNote } from './read-more-note.ts';
import { inlineLength, type Keeper, readBlob } from './stored-results.ts';

type MediaChunk = Extract<Chunk, { data: string }>;
type StoredMedium = BlobRef & { mimeType: string };
type FilePart = Extract<ModelPart, { type: 'file' }>;

/** Whether a chunk brings media that do not belong into a row. */
export function isLargeMedium(chunk: Chunk, most: number): chunk is MediaChunk {
  return 'data' in chunk && chunk.data.length > most;
}

/** The chunks of a batch, with large media stored durably. */
export async function storeMedia(
  batch: Chunk[],
  { blobs, limits }: Keeper,
  owner: Pick<BlobFacts, 'owner' | 'topicId' | 'origins'>,
): Promise<Chunk[]> {
  const stored: Chunk[] = [];
  const most = inlineLength(limits);
  for (const chunk of batch) {
    if (!isLargeMedium(chunk, most)) {
      stored.push(chunk);
      continue;
    }
    const { data, mimeType: declared } = chunk;
    const facts = { ...owner, mimeType: declared };
    const { id, size, mimeType } = await blobs.keep(Buffer.from(data, 'base64'), facts);
    stored.push({ ...chunk, mimeType, data: '', stored: { id, size } });
  }
  return stored;
}

/**
 * Gives stored media of a history their data, and attached text files their text. The newest media go
 * first: what is beyond the bytes of one request is described in words. What was read is kept for the
 * rounds to come.
 */
export class StoredMedia {
  readonly #blobs: BlobPort;
  readonly #limits: Limits;
  readonly #owner: string;
  /** By id: the base64 of media, the words of a text file. */
  readonly #read = new Map<string, string>();

  constructor({ blobs, limits }: { blobs: BlobPort; limits: Limits }, owner: string) {
    this.#blobs = blobs;
    this.#limits = limits;
    this.#owner = owner;
  }

  async load(messages: ModelMessage[]): Promise<ModelMessage[]> {
    if (!messages.some(hasStored)) return messages;
    const media = messages.flatMap(mediaOfMessage).toReversed();
    const { mediaPerRequest, imageToModel } = this.#limits;
    let room = mediaPerRequest;
    const sent = new Set<string>();
    for (const { id, size, mimeType } of media) {
      const most = mimeType.startsWith('image/') ? imageToModel : room;
      if (size > Math.min(most, room)) continue;
      room -= size;
      sent.add(id);
    }
    const filled: ModelMessage[] = [];
    for (const message of messages)
      filled.push(hasStored(message) ? await this.#message(message, sent) : message);
    return filled;
  }

  async #message(message: ModelMessage, sent: ReadonlySet<string>): Promise<ModelMessage> {
    if (message.role !== 'tool') {
      const parts: ModelPart[] = [];
      for (const part of message.parts)
        parts.push(isStoredFile(part) ? await this.#file(part, sent) : part);
      return { ...message, parts };
    }
    const results: typeof message.results = [];
    for (const each of message.results) {
      const content: ContentPart[] = [];
      for (const part of each.result.content) content.push(await this.#resultPart(part, sent));
      results.push({ ...each, result: { ...each.result, content } });
    }
    return { ...message, results };
  }

  async #file(part: FilePart & { stored: BlobRef }, sent: ReadonlySet<string>): Promise<ModelPart> {
    const { stored, ...file } = part;
    if (isTextType(file.mimeType))
      return {
        type: 'text',
        text: await this.#once(stored, (bytes) =>
          fileText(part, bytes, this.#limits.resultToModel),
        ),
      };
    if (!sent.has(stored.id))
      return { type: 'text', text: describeMedia(file.mimeType, file.name) };
    return { ...file, data: await this.#once(stored, toBase64) };
  }

  async #resultPart(part: ContentPart, sent: ReadonlySet<string>): Promise<ContentPart> {
    const media = storedMedia(part);
    if (!media || part.type === 'text' || part.type === 'resource_link') return part;
    const { stored: _, ...rest } = part;
    if (!sent.has(media.id)) return { type: 'text', text: describeMedia(media.mimeType) };
    const data = await this.#once(media, toBase64);
    if (rest.type !== 'resource') return { ...rest, data };
    return { ...rest, resource: { ...rest.resource, blob: data } };
  }

  async #once(ref: BlobRef, convert: (bytes: Buffer) => string): Promise<string> {
    const known = this.#read.get(ref.id);
    if (known !== undefined) return known;
    const made = convert(await readBlob(this.#blobs, this.#owner, ref));
    this.#read.set(ref.id, made);
    return made;
  }
}

function toBase64(bytes: Buffer): string {
  return bytes.toString('base64');
}

function fileText(
  { stored, name = '' }: FilePart & { stored: BlobRef },
  bytes: Buffer,
  most: number,
): string {
  const text = headAndTail(bytes.toString(), most);
  const note = readMoreNote(stored.id, text);
  return [`[File: ${name}]`, text, ...(note === undefined ? [] : [note])].join('\n');
}

function isStoredFile(part: ModelPart): part is FilePart & { stored: BlobRef } {
  return part.type === 'file' && part.stored !== undefined;
}

/** Messages of earlier rounds are asked about again in every round. */
const storedIn = new WeakMap<ModelMessage, boolean>();

function hasStored(message: ModelMessage): boolean {
  const known = storedIn.get(message);
  if (known !== undefined) return known;
  const found =
    message.role === 'tool' ? mediaOfMessage(message).length > 0 : message.parts.some(isStoredFile);
  storedIn.set(message, found);
  return found;
}

/** The media that wait for their data, in order. */
function mediaOfMessage(message: ModelMessage): StoredMedium[] {
  if (message.role === 'tool')
    return message.results.flatMap(({ result }) =>
      result.content.flatMap((part) => storedMedia(part) ?? []),
    );
  return message.parts.flatMap((part) =>
    isStoredFile(part) && !isTextType(part.mimeType)
      ? { ...part.stored, mimeType: part.mimeType }
      : [],
  );
}

/** A part of a result whose data are stored; previews of texts are none. */
function storedMedia(part: ContentPart): StoredMedium | undefined {
  const media = mediaOf(part);
  if (!media || part.type === 'resource_link' || !part.stored) return undefined;
  return { ...part.stored, mimeType: media.mimeType };
}
