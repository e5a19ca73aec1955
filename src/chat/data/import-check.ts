import type { ImportResult } from '#shared/api/data-api.ts';
import type { ExportLine } from '#shared/api/export-file.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { type ImportLines, invalidLine } from './import-file.ts';

/**
 * Reads a whole export file and counts what in it `isHere` does not find. Throws `invalid_request` for one that is cut off,
 * out of order or not ours, so that the import itself does not fail half-way.
 */
export async function checkImport(
  lines: ImportLines,
  isHere: (line: ExportLine) => Promise<boolean>,
  limits: Pick<Limits, 'file' | 'entriesPerList' | 'importEntries'>,
): Promise<Omit<ImportResult, 'skippedTopics' | 'leftOut'>> {
  const counts = { topics: 0, messages: 0, files: 0, assistants: 0, servers: 0 };
  if ((await lines.take())?.kind !== 'cerise-export')
    throw invalidLine(1, say('line-no-beginning')`this isn't how an export file starts.`);
  const topic = new TopicCheck(limits.file);
  const memory = new MemoryCheck(limits);
  let isTopicHere = false;
  for (;;) {
    const line = await lines.take();
    if (!line) throw cutOff();
    const problem = memory.problemOf(line, lines.size) ?? topic.problemOf(line);
    if (problem) throw invalidLine(lines.number, problem);
    if (line.kind === 'end') break;
    const here = await isHere(line);
    if (line.kind === 'topic') isTopicHere = here;
    if (line.kind === 'topic' && !here) counts.topics += 1;
    if (line.kind === 'message' && !isTopicHere) counts.messages += 1;
    if (line.kind === 'file' && !isTopicHere) counts.files += 1;
    if (line.kind === 'assistant' && !here) counts.assistants += 1;
    if (line.kind === 'server' && !here) counts.servers += 1;
  }
  if (await lines.take())
    throw invalidLine(lines.number, say('line-after-end')`it comes after the end of the file.`);
  return counts;
}

/** Lines of topics, of the file itself, and what is only for reading. */
const others = [
  'cerise-export',
  'topic',
  'file',
  'piece',
  'message',
  'blocks',
  'call',
  'end',
] as const satisfies ExportLine['kind'][];

/** Every other line: few, which are kept until all topics have come in. A new kind is one until it is said above. */
export type Head = Exclude<ExportLine, { kind: (typeof others)[number] }>;

export function isHead(line: ExportLine): line is Head {
  return !others.some((kind) => kind === line.kind);
}

/** Characters of all heads, and how many there may be even where lists are kept short. */
const maxHeadChars = 64 * 1024 * 1024;
const leastHeads = 100;

/** What an import keeps in memory of a file: heads, and the ids of everything else. */
class MemoryCheck {
  readonly #limits: Pick<Limits, 'entriesPerList' | 'importEntries'>;
  #entries = 0;
  #heads = 0;
  #headText = 0;

  constructor(limits: Pick<Limits, 'entriesPerList' | 'importEntries'>) {
    this.#limits = limits;
  }

  /** What is wrong with the line, which has so many characters; undefined if nothing is. */
  problemOf(line: ExportLine, size: number): Words | undefined {
    if (isHead(line)) {
      this.#heads += 1;
      this.#headText += size;
    }
    this.#entries += entriesOf(line);
    const { entriesPerList, importEntries } = this.#limits;
    const isTooMuch =
      this.#heads > Math.max(entriesPerList, leastHeads) ||
      this.#headText > maxHeadChars ||
      this.#entries > importEntries;
    return isTooMuch ? say('line-too-many')`there are too many lines like it.` : undefined;
  }
}

function entriesOf(line: ExportLine): number {
  if (line.kind === 'message') return 1 + line.message.blocks.length;
  if (line.kind === 'blocks') return line.blocks.length;
  return line.kind === 'topic' || line.kind === 'file' ? 1 : 0;
}

/** Where in a topic the file is, and what may follow there. */
class TopicCheck {
  #place: 'none' | 'files' | 'messages' = 'none';
  readonly #topics = new Set<string>();
  readonly #messages = new Set<string>();
  readonly #blocks = new Set<string>();
  /** Of the message that came last. */
  readonly #ordinals = new Set<number>();
  readonly #largestFile: number;
  #bytesLeft = 0;

  constructor(largestFile: number) {
    this.#largestFile = largestFile;
  }

  /** What is wrong with the line here; undefined if nothing is. */
  problemOf(line: ExportLine): Words | undefined {
    if (line.kind === 'piece') return this.#piece(Buffer.byteLength(line.data, 'base64'));
    if (this.#bytesLeft > 0) return say('line-file-cut')`the file before it is incomplete.`;
    switch (line.kind) {
      case 'topic':
        return this.#begin(line.topic.id);
      case 'file':
        this.#bytesLeft = line.file.size;
        if (line.file.size > this.#largestFile)
          return say('line-file-large')`the file is too large.`;
        return this.#place === 'files'
          ? undefined
          : say('line-file-place')`a file must come after its topic.`;
      case 'message':
        return this.#message(line.message);
      case 'blocks':
        return this.#place === 'messages'
          ? this.#moreBlocks(line.blocks)
          : say('line-blocks-place')`blocks must come after their message.`;
      case 'cerise-export':
        return say('line-begins-once')`an export file can have only one header.`;
      default:
        this.#place = 'none';
        return undefined;
    }
  }

  #begin(topicId: string): Words | undefined {
    this.#place = 'files';
    this.#messages.clear();
    this.#blocks.clear();
    if (this.#topics.has(topicId)) return say('line-topic-twice')`this topic appears twice.`;
    this.#topics.add(topicId);
    return undefined;
  }

  #piece(size: number): Words | undefined {
    if (size === 0 || size > this.#bytesLeft)
      return say('line-no-file')`it doesn't belong to a file.`;
    this.#bytesLeft -= size;
    return undefined;
  }

  #message({
    id,
    parentId,
    blocks,
  }: Extract<ExportLine, { kind: 'message' }>['message']): Words | undefined {
    if (this.#place === 'none')
      return say('line-message-place')`a message must come after its topic.`;
    this.#place = 'messages';
    if (this.#messages.has(id)) return say('line-message-twice')`this message appears twice.`;
    if (parentId !== null && !this.#messages.has(parentId))
      return say('line-reply-nothing')`it replies to a message that doesn't come before it.`;
    this.#messages.add(id);
    this.#ordinals.clear();
    return this.#moreBlocks(blocks);
  }

  #moreBlocks(blocks: { id: string; ordinal: number }[]): Words | undefined {
    for (const block of blocks) {
      if (this.#blocks.has(block.id) || this.#ordinals.has(block.ordinal))
        return say('line-block-twice')`a block appears twice.`;
      this.#blocks.add(block.id);
      this.#ordinals.add(block.ordinal);
    }
    return undefined;
  }
}

function cutOff(): CeriseError {
  return new CeriseError(
    'invalid_request',
    say('export-cut')`The file is incomplete: its end is missing.`,
    {
      hint: say('export-again')`Export or copy it again. Nothing was imported.`,
    },
  );
}
