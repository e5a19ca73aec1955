import type { ContentPart } from '#shared/vocabulary/tool.ts';
import { sizeText } from './size-text.ts';
import { terminalText } from './terminal-text.ts';

/** A piece of a result as a terminal can show it: texts whole, media described. */
export function contentText(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return terminalText(part.text);
    case 'image':
    case 'audio':
      return terminalText(`[${part.type}: ${part.mimeType}, ${sizeText(part)}]`);
    case 'resource_link':
      return terminalText(`${part.title ?? part.name} ${part.uri}`);
    case 'resource': {
      const { uri, mimeType, text, blob } = part.resource;
      const size = sizeText({ data: blob, stored: part.stored });
      return terminalText(text ?? `[${uri}: ${mimeType ?? 'data'}, ${size}]`);
    }
  }
}
