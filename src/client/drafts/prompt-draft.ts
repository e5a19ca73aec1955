import type { PromptMessage } from '../api/servers.ts';
import { fromBase64 } from './base64.ts';
import { contentsFile } from './contents-file.ts';

/** What a prompt becomes in the composer. */
export interface PromptDraft {
  /** For the composer, to be edited before it is sent. */
  text: string;
  /** Attached files. */
  files: File[];
}

/**
 * A prompt of the user's texts alone becomes the text of the message. Anything else keeps its order
 * and its roles: the last text of the user is the message, what stands before it a file that quotes
 * it, and media are files of their own.
 */
export function promptDraft(name: string, messages: PromptMessage[]): PromptDraft {
  const isPlain = messages.every(({ role, content }) => role === 'user' && content.type === 'text');
  if (isPlain) return { text: messages.map(textOf).join('\n\n'), files: [] };
  const last = messages.findLastIndex(
    ({ role, content }) => role === 'user' && content.type === 'text',
  );
  const before = messages.filter((_, index) => index !== last);
  const files = before.flatMap((message, index) => mediumOf(message, `${name}-${index + 1}`));
  const quoted = before.filter(({ content }) => describe(content) !== undefined);
  const context = quoted.map(({ role, content }) => `## ${role}\n\n${describe(content)}`);
  const quote = new File([context.join('\n\n')], `${name}.md`, { type: 'text/markdown' });
  const message = messages[last];
  return {
    text: message ? textOf(message) : '',
    files: quoted.length > 0 ? [quote, ...files] : files,
  };
}

function textOf({ content }: PromptMessage): string {
  return content.type === 'text' ? content.text : '';
}

function describe(content: PromptMessage['content']): string | undefined {
  if (content.type === 'text') return content.text;
  if (content.type === 'resource_link') return `[${content.title ?? content.name}](${content.uri})`;
  return undefined;
}

function mediumOf({ content }: PromptMessage, name: string): File[] {
  if (content.type === 'resource') return [contentsFile(content.resource, name)];
  if (content.type !== 'image' && content.type !== 'audio') return [];
  const ending = content.mimeType.split(/[/+;]/)[1] ?? 'bin';
  return [new File([fromBase64(content.data)], `${name}.${ending}`, { type: content.mimeType })];
}
