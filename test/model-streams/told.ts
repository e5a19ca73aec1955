import type { Block } from '#shared/vocabulary/block.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';

/** One thing that a model said or did, as far as a person can see it. */
export type Part =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'call'; name: string; arguments: JsonObject }
  /** A search that the vendor ran itself. */
  | { type: 'search'; query?: string; url?: string; pattern?: string }
  /** Any other tool that the vendor ran itself. */
  | { type: 'vendor-tool'; name: string; arguments: JsonObject }
  | { type: 'image'; mimeType: string; data: string };

/** A source of an answer. */
export interface Source {
  url?: string | undefined;
  title?: string | undefined;
}

/** All that one answer tells, in whatever protocol it came. */
export interface Told {
  /** In order; text that follows on text is one part, and so is thinking. */
  parts: Part[];
  /** Each once, in the order of their first appearance. */
  sources: Source[];
  /** What the vendor signed and wants back. */
  sealed: string[];
  usage?: Usage;
  /** The code of the error it ended with. */
  error?: string;
  /** The code that says why it is not complete, although it ended well. */
  note?: string;
}

/** Adds a part; words that go on are joined with those before them. */
export function addPart(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if ((part.type === 'text' || part.type === 'thinking') && part.text === '') return;
  if (last?.type === 'text' && part.type === 'text') last.text += part.text;
  else if (last?.type === 'thinking' && part.type === 'thinking') last.text += part.text;
  else parts.push({ ...part });
}

/** Adds a source unless it is known. */
export function addSource(sources: Source[], { url, title }: Source): void {
  const known = sources.some((source) => (url ? source.url === url : source.title === title));
  if (!known) sources.push({ ...(url && { url }), ...(title && { title }) });
}

/** What the blocks of an answer tell. */
export function toldIn({ blocks, usage, status }: Message): Told {
  const told: Told = { parts: [], sources: [], sealed: [] };
  for (const block of blocks) {
    const part = toPart(block);
    if (part) addPart(told.parts, part);
    if (block.type === 'citation')
      for (const source of block.citations) addSource(told.sources, source);
    if (block.type === 'error') told[status === 'error' ? 'error' : 'note'] = block.error.code;
    if ('signature' in block && block.signature) told.sealed.push(block.signature);
  }
  return { ...told, ...(usage && { usage }) };
}

/** All words of one kind, joined. */
export function wordsOf(parts: Part[], type: 'text' | 'thinking'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('');
}

function toPart(block: Block): Part | undefined {
  switch (block.type) {
    case 'main_text':
      return { type: 'text', text: block.content };
    case 'thinking':
      return { type: 'thinking', text: block.content };
    case 'image':
      return { type: 'image', mimeType: block.mimeType ?? '', data: block.data ?? '' };
    case 'tool':
      if (block.vendor === undefined || block.modelToolName !== 'web_search') {
        const type = block.vendor === undefined ? 'call' : 'vendor-tool';
        return { type, name: block.modelToolName, arguments: block.arguments };
      }
      // Sources that came without a search are shown beneath one, at the end.
      return block.callId === 'sources' ? undefined : { type: 'search', ...block.arguments };
    default:
      return undefined;
  }
}
