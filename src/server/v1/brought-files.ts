import type { BroughtPart } from '#chat/runs/run-request.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { LargeJson } from './large-json.ts';

type Files = Pick<LargeJson, 'file'>;

/** A file by its address: a data URL, or one on the web. */
export function fileAt(url: string, files: Files, name?: string): BroughtPart {
  const { before, bytes } = files.file(url) ?? split(url);
  if (!before.startsWith('data:')) {
    if (/^https?:\/\//i.test(url)) return { type: 'address', url };
    throw badFile();
  }
  const mimeType = before.slice('data:'.length).split(/[;,]/, 1)[0] ?? '';
  return { type: 'file', mimeType, bytes, name };
}

/** A file by its base64, which may also be a data URL. */
export function fileOf(data: string, mimeType: string, files: Files, name?: string): BroughtPart {
  if (data.startsWith('data:') || files.file(data)?.before.startsWith('data:'))
    return fileAt(data, files, name);
  const bytes = files.file(data)?.bytes ?? [decode(data)];
  return { type: 'file', mimeType, bytes, name };
}

/** Audio in the format of OpenAI. */
export function audioOf(audio: { data: string; format: string }, files: Files): BroughtPart {
  const { data, format } = audio;
  return fileOf(data, format === 'mp3' ? 'audio/mpeg' : `audio/${format}`, files);
}

/** A text in a field for files, as it was written. */
export function textAt(text: string, files: Files): string {
  const file = files.file(text);
  return file ? file.before + Buffer.concat(file.bytes).toString('base64') : text;
}

function split(url: string): { before: string; bytes: Uint8Array[] } {
  const comma = url.indexOf(',');
  const before = url.slice(0, comma + 1);
  if (!/^data:[^,]*;base64,$/i.test(before)) return { before: '', bytes: [] };
  return { before, bytes: [decode(url.slice(comma + 1))] };
}

function decode(text: string): Uint8Array {
  if (/^[\w+/=-]*$/.test(text)) return Buffer.from(text, 'base64');
  throw badFile();
}

function badFile(): CeriseError {
  return new CeriseError(
    'invalid_request',
    say('v1-bad-file')`Files must be base64 data URLs. Images can also be https URLs.`,
  );
}
