import type { ModelRequest } from '#shared/vocabulary/model.ts';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';

/** Something to look at or listen to; `data` is base64. */
export interface Media {
  mimeType: string;
  data: string;
  name?: string;
}

/** A part of a result that a model may look at or listen to, if it is one. */
export function mediaOf(part: ContentPart): Media | undefined {
  if (part.type === 'image' || part.type === 'audio') {
    return { mimeType: part.mimeType, data: part.data };
  }
  if (part.type !== 'resource' || part.resource.blob === undefined) return undefined;
  const { mimeType = '', blob } = part.resource;
  return /^(image|audio)\/|^application\/pdf$/.test(mimeType)
    ? { mimeType, data: blob }
    : undefined;
}

/** Whether a request carries anything but text. */
export function hasMedia(request: ModelRequest): boolean {
  return request.messages.some((message) =>
    message.role === 'tool'
      ? message.results.some(({ result }) =>
          result.content.some((part) => mediaOf(part) !== undefined),
        )
      : message.parts.some((part) => part.type === 'file'),
  );
}

/** A result in words, for vendors whose tool results are text. Never empty. */
export function resultText({ content, structuredContent, isError }: ToolResult): string {
  const text = content.map(partText).filter(Boolean).join('\n');
  if (text !== '') return text;
  if (structuredContent !== undefined) return JSON.stringify(structuredContent);
  return isError ? 'The tool failed without giving a reason.' : 'The tool returned nothing.';
}

/** One part of a result in words. */
export function partText(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return describeMedia(part.mimeType);
    case 'resource_link':
      return `[${part.title ?? part.name}](${part.uri})${part.description ? ` ${part.description}` : ''}`;
    case 'resource': {
      const { text, mimeType, uri } = part.resource;
      return text ?? describeMedia(mimeType ?? 'application/octet-stream', uri);
    }
  }
}

/** The line that stands for media a model cannot take. */
export function describeMedia(mimeType: string, name?: string): string {
  const kind =
    { image: 'Image', audio: 'Audio', video: 'Video' }[mimeType.split('/')[0] ?? ''] ?? 'File';
  return `[${kind}: ${[name, mimeType].filter(Boolean).join(', ')}]`;
}
