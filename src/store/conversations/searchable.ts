import { type Block, isMediaBlock } from '#shared/vocabulary/block.ts';

/** Enough of a tool's result to find it again. */
const maxResultChars = 20_000;
/** More than anybody writes or reads; words beyond it are not found. */
const maxTextChars = 1024 * 1024;

/** What a search can find of a block. The same now and later, since snippets are cut from it. */
export function searchableText(block: Block): string {
  if (isMediaBlock(block)) return block.name ?? '';
  switch (block.type) {
    case 'main_text':
    case 'translation':
    case 'compact':
    case 'thinking':
    case 'code':
      return block.content.slice(0, maxTextChars);
    case 'error':
      return block.error.message;
    case 'citation':
      return block.citations
        .flatMap(({ title, snippet, url }) => [title, snippet, url])
        .filter(Boolean)
        .join('\n');
    case 'tool':
      return [block.title ?? block.toolName, JSON.stringify(block.arguments), resultText(block)]
        .join('\n')
        .slice(0, maxResultChars);
    case 'unknown':
      return '';
  }
}

function resultText(block: Extract<Block, { type: 'tool' }>): string {
  const parts = block.result?.content ?? [];
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
