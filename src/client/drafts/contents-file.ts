import { decodePercent } from '#shared/text/decode-percent.ts';
import type { ResourceContents } from '../api/servers.ts';
import { fromBase64 } from './base64.ts';
import { fileType } from './file-type.ts';

/** The contents of a resource as a file, with a name and a type that models can use. */
export function contentsFile(contents: ResourceContents, name: string): File {
  const { text, blob, mimeType, uri } = contents;
  const lastPart = uri.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  const fileName = lastPart.includes('.') ? decodePercent(lastPart) : name;
  if (text !== undefined)
    return new File([text], fileName, { type: mimeType?.split(';')[0] ?? 'text/plain' });
  const type = mimeType ?? fileType({ name: fileName, type: '' });
  return new File([fromBase64(blob ?? '')], fileName, { type });
}
