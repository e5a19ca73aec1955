import { guardedFetch } from '#mcp/builtin/web/guarded-fetch.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { sniffBytes, sniffMediaType } from '#shared/text/media-type.ts';
import type { Settings } from '../models/settings.ts';

/** A picture of another host, as it came; its type is what its bytes say. */
export interface FetchedPicture {
  mimeType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Fetches pictures that a person asked to see: from public addresses only, 5 MiB at most. */
export class Pictures {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async fetch(url: string, signal: AbortSignal): Promise<FetchedPicture> {
    const { body } = await guardedFetch({
      url,
      allow: await this.#settings.fetchAllow(),
      signal,
      headers: { accept: 'image/avif, image/webp, image/png, image/jpeg, image/gif' },
    });
    const mimeType = pictureType(body);
    if (mimeType === undefined)
      throw new CeriseError(
        'unsupported_media_type',
        say(
          'no-picture',
        )`There's no image at that URL that can be shown (PNG, JPEG, GIF, WebP or AVIF).`,
      );
    return { mimeType, bytes: body };
  }
}

const shown = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

/** The type of a picture by its first bytes, whatever its host calls it. */
function pictureType(bytes: Uint8Array): string | undefined {
  const type = sniffMediaType(bytes.subarray(0, sniffBytes), '');
  return shown.has(type) ? type : undefined;
}
