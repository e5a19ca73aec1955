import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { isTextType } from '#shared/vocabulary/media-input.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { BlobPort } from '#shared/vocabulary/ports.ts';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import { getToolCall, type ToolCallRecord } from '#store/calls/tool-calls.ts';
import { getMessage } from '#store/conversations/messages.ts';
import type { Store } from '#store/database/store.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import { textOf } from '#tools/results/results.ts';
import { readMoreName } from '../calls/read-more-note.ts';
import { readBlob } from '../calls/stored-results.ts';
import { originOfCall } from '../policy/policy-taint.ts';

const usualChars = 16_000;
/** Even at three bytes a character within what a model is given of one result. */
const maxChars = 20_000;
const maxMatches = 20;
const matchContextChars = 100;

interface Place {
  store: Store;
  blobs: BlobPort;
  owner: string;
  topicId: string;
}

/** A tool that reads, or searches, what was too long to be given to the model whole. */
export function readMoreTool(place: Place): NativeTool {
  return {
    ...definition,
    title: 'Read more',
    annotations: { readOnlyHint: true, openWorldHint: false },
    execute: async ({ id, from, length, find }) => {
      const { text, origins } = await textOfId(place, typeof id === 'string' ? id : '');
      const answer = (words: string): ToolResult => ({
        content: [{ type: 'text', text: words }],
        ...(origins.length > 0 && { origins }),
      });
      const start = clamp(Number(from ?? 0), 0, text.length);
      if (typeof find === 'string' && find !== '') return answer(findIn(text, find, start));
      const end = start + clamp(Number(length ?? usualChars), 1, maxChars);
      const piece = text.slice(start, end).toWellFormed();
      return answer(`[Characters ${start}–${start + piece.length} of ${text.length}]\n${piece}`);
    },
  };
}

/** A text, and where untrusted words in it came from: it may be of another branch. */
interface StoredText {
  text: string;
  origins: Origin[];
}

/** Throws `file_not_found` for whatever is not a text of this topic. */
async function textOfId(place: Place, id: string): Promise<StoredText> {
  const { store, blobs, owner, topicId } = place;
  const [name = '', index = '0'] = id.split('.');
  const call = await getToolCall(store.db, owner, name);
  if (call?.topicId === topicId && call.result) {
    const text = await partText(place, call.result, Number(index));
    return { text, origins: call.result.origins ?? (await originsOfOld(store, call)) };
  }
  const file = call ? undefined : await blobs.find(owner, name);
  if (file?.topicId !== topicId || !isTextType(file.mimeType)) throw notHere();
  return { text: (await blobs.read(file)).toString(), origins: file.origins ?? [] };
}

/** Results of before origins were kept: only their blocks say whether they are untrusted. */
async function originsOfOld({ db }: Store, call: ToolCallRecord): Promise<Origin[]> {
  const message = await getMessage(db, call.owner, call.answerId ?? '');
  const block = message?.blocks.find(({ id }) => id === call.blockId);
  return block?.type === 'tool' && block.untrusted ? [originOfCall(call)] : [];
}

async function partText(
  { blobs, owner }: Place,
  { content, structuredContent }: ToolResult,
  index: number,
): Promise<string> {
  const part: ContentPart | undefined = content[index];
  if (!part && content.length === 0) return JSON.stringify(structuredContent ?? null);
  if (!part || textOf(part) === '') throw notHere();
  if (part.type === 'resource_link' || !part.stored) return textOf(part);
  return (await readBlob(blobs, owner, part.stored)).toString();
}

function findIn(text: string, find: string, from: number): string {
  const pattern = new RegExp(RegExp.escape(find), 'gi');
  pattern.lastIndex = from;
  const matches: string[] = [];
  let match = pattern.exec(text);
  for (; match && matches.length < maxMatches; match = pattern.exec(text)) {
    const start = Math.max(0, match.index - matchContextChars);
    const around = text.slice(start, match.index + match[0].length + matchContextChars);
    matches.push(`[At ${match.index}] …${around.toWellFormed().replaceAll(/\s+/g, ' ')}…`);
  }
  if (matches.length === 0) return `"${truncate(find, 200)}" was not found at or after ${from}.`;
  const more = match ? `\n[More matches: continue from ${match.index}.]` : '';
  return matches.join('\n') + more;
}

function clamp(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, Math.trunc(value))) : least;
}

function notHere(): CeriseError {
  return new CeriseError(
    'file_not_found',
    say('text-gone')`There is no text with that ID in this chat.`,
    {
      hint: say('text-id-hint')`Use the ID exactly as shown where the text was omitted.`,
    },
  );
}

const definition = {
  name: readMoreName,
  description:
    'Reads more of a tool result or attached file that was only partly shown. The note where text was left out gives the id and the position to continue from.',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The ID from the note.' },
      from: {
        type: 'integer',
        minimum: 0,
        description: 'Position of the first character to read. Default: 0.',
      },
      length: {
        type: 'integer',
        minimum: 1,
        maximum: maxChars,
        description: `Number of characters to read. Default: ${usualChars}.`,
      },
      find: {
        type: 'string',
        description: 'Find this text and return its positions instead of reading.',
      },
    },
    required: ['id'],
    additionalProperties: false,
  },
};
