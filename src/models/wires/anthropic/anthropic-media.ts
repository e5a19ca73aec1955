import type { ModelCapabilities } from '#shared/vocabulary/model.ts';
import { describeMedia, type Media } from '../../requests/result-content.ts';

/** Something to look at or to read, as Anthropic takes it; words where it or the model cannot. */
export type AnthropicMedia =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: string; data: string } }
  | {
      type: 'document';
      source: { type: 'base64' | 'text'; media_type: string; data: string };
      title?: string;
    };

/** Media as a block of a message or of a result. */
export function toAnthropicMedia(media: Media, can: ModelCapabilities): AnthropicMedia {
  const { data, name } = media;
  const mimeType = media.mimeType.toLowerCase().replace(/;.*$/, '').trim();
  const title = name !== undefined && name !== '' && { title: name };
  const imageType = imageTypes.get(mimeType);
  if (imageType !== undefined && can.imagesIn) {
    return { type: 'image', source: { type: 'base64', media_type: imageType, data } };
  }
  if (mimeType === 'application/pdf' && can.filesIn) {
    return { type: 'document', source: { type: 'base64', media_type: mimeType, data }, ...title };
  }
  if (!textTypes.test(mimeType)) return { type: 'text', text: describeMedia(mimeType, name) };
  const text = Buffer.from(data, 'base64').toString('utf8');
  if (text.trim() === '') return { type: 'text', text: describeMedia(mimeType, name) };
  if (!can.filesIn) return { type: 'text', text: name ? `${name}:\n${text}` : text };
  return {
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: text },
    ...title,
  };
}

const imageTypes: ReadonlyMap<string, string> = new Map([
  ['image/png', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/jpg', 'image/jpeg'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
]);
const textTypes =
  /^text\/|^application\/(json|xml|yaml|x-yaml|toml|javascript|x-sh|sql)$|\+(json|xml)$/;
