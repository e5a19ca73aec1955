import { type Block, isMediaBlock } from '#shared/vocabulary/block.ts';
import type { Message, Topic } from '#shared/vocabulary/message.ts';

/** A branch of a topic as a Markdown document to read: who said what, and which tools were called. */
export function topicMarkdown(topic: Pick<Topic, 'title'>, messages: Message[]): string {
  const title = `# ${oneLine(topic.title)}`;
  return `${[title, ...messages.map(messageMarkdown)].join('\n\n')}\n`;
}

function messageMarkdown({ role, model, createdAt, blocks }: Message): string {
  const who = role === 'user' ? 'User' : `Assistant${model ? ` (${oneLine(model)})` : ''}`;
  const at = new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ');
  const parts = blocks.map(blockMarkdown).filter((part) => part !== '');
  return [`## ${who}`, `*${at} UTC*`, ...parts].join('\n\n');
}

function blockMarkdown(block: Block): string {
  if (isMediaBlock(block))
    return `*[${block.type}: ${oneLine(block.name ?? block.mimeType ?? '')}]*`;
  switch (block.type) {
    case 'main_text':
      return block.content.trim();
    case 'thinking':
      return quote(block.content);
    case 'translation':
      return `**${oneLine(block.language)}**\n\n${block.content.trim()}`;
    case 'compact':
      return quote(block.content);
    case 'code':
      return fenced(block.content, block.language);
    case 'error':
      return quote(`Error: ${block.error.message}`);
    case 'citation':
      return block.citations.map(citationMarkdown).join('\n');
    case 'tool':
      return toolMarkdown(block);
    case 'unknown':
      return '';
  }
}

function citationMarkdown({
  number,
  title,
  url,
}: Extract<Block, { type: 'citation' }>['citations'][number]): string {
  return `[${number}] ${[title, url].filter(Boolean).map(String).map(oneLine).join(' ')}`;
}

function toolMarkdown(block: Extract<Block, { type: 'tool' }>): string {
  const { serverName, toolName, state, result, error, vendor } = block;
  const place = serverName || (vendor ?? '');
  const head = `**${oneLine(place)} · ${oneLine(toolName)}** (${state.replaceAll('_', ' ')})`;
  const text = (result?.content ?? [])
    .map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
    .join('\n');
  return [
    head,
    fenced(JSON.stringify(block.arguments, null, 2), 'json'),
    ...(text ? [fenced(text)] : []),
    ...(error ? [quote(error.message)] : []),
  ].join('\n\n');
}

/** A fence that nothing in the text can close. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${oneLine(language)}\n${text.replace(/\n$/, '')}\n${fence}`;
}

function quote(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
