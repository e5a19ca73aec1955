import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** Decodes base64. Throws `unreadable_response` for invalid text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch (cause) {
    throw new CeriseError(
      'unreadable_response',
      say('bytes-unreadable')`The server sent data that can't be read.`,
      { cause },
    );
  }
}
