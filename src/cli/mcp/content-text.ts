import type { ContentPart } from '#shared/tool.ts';
import { terminalText } from '../terminal-text.ts';

/** A piece of a result as a terminal can show it: texts whole, media described. */
export function contentText(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return terminalText(part.text);
    case 'image':
    case 'audio':
      return terminalText(`[${part.type}: ${part.mimeType}, ${kib(part.data)}]`);
    case 'resource_link':
      return terminalText(`${part.title ?? part.name} ${part.uri}`);
    case 'resource': {
      const { uri, mimeType, text, blob = '' } = part.resource;
      return terminalText(text ?? `[${uri}: ${mimeType ?? 'data'}, ${kib(blob)}]`);
    }
  }
}

function kib(base64: string): string {
  return `${Math.ceil((base64.length * 3) / 4 / 1024)} KiB`;
}
