import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** The bytes that a base64 text stands for. Throws `unreadable_response` for what is none. */
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
