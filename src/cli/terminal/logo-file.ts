import { readFileSync, statSync } from 'node:fs';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isPictureUrl } from '#shared/vocabulary/server/picture-url.ts';

/** As a data URL it must fit into the config of a server. */
const maxBytes = 48_000;

/** The logo of a server as a data URL: one that is given, or an image file of this machine. Throws `invalid_request`. */
export function readLogo(word: string): string {
  if (isPictureUrl(word)) return word;
  const bytes = imageBytes(word);
  const type = bytes && typeOf(bytes);
  if (type !== undefined) return `data:${type};base64,${bytes?.toString('base64')}`;
  throw new CeriseError(
    'invalid_request',
    say('cli-no-logo')`"${word.slice(0, 200)}" can't be used as a logo.`,
    {
      hint: say(
        'cli-no-logo-hint',
      )`Use a PNG, JPEG, GIF, WebP or SVG file of up to ${maxBytes / 1000} kB.`,
    },
  );
}

function imageBytes(path: string): Buffer | undefined {
  const file = statSync(path, { throwIfNoEntry: false });
  return file?.isFile() && file.size <= maxBytes ? readFileSync(path) : undefined;
}

function typeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 1024);
  if (head.startsWith('\u0089PNG\r\n')) return 'image/png';
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (/^RIFF[^]{4}WEBP/.test(head)) return 'image/webp';
  return /<svg[\s>]/i.test(head) ? 'image/svg+xml' : undefined;
}
