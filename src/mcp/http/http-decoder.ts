import {
  type BrotliDecompress,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  type Gunzip,
  type Inflate,
  type ZstdDecompress,
} from 'node:zlib';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** What we can decode, as `Accept-Encoding` says it. */
export const acceptEncoding = 'gzip, deflate, br, zstd';

/** Decompresses while bytes arrive. Output comes in pieces of 16 KiB: a reader that has enough stops it. */
export interface Decoder {
  /** False: nothing more until `onReady`. */
  write(chunk: Buffer): boolean;
  end(): void;
  destroy(): void;
}

interface DecoderEvents {
  onData(chunk: Buffer): void;
  onReady(): void;
  onEnd(): void;
  onError(error: CeriseError): void;
}

/** A decoder for a `Content-Encoding`, or undefined where there is nothing to decode. Throws CeriseError. */
export function createDecoder(encoding: string, events: DecoderEvents): Decoder | undefined {
  const name = encoding
    .toLowerCase()
    .replace(/\bidentity\b|[\s,]+/g, ' ')
    .trim();
  if (name === '') return undefined;
  const stream = createStream(name);
  stream.on('data', (chunk: Buffer) => events.onData(chunk));
  stream.on('drain', () => events.onReady());
  stream.on('end', () => events.onEnd());
  stream.on('error', (cause) => {
    const message = say(
      'encoding-false',
    )`The server's response is labelled ${name}, but it can't be decoded.`;
    events.onError(new CeriseError('unreadable_response', message, { cause }));
  });
  return {
    write: (chunk) => stream.write(chunk),
    end: () => void stream.end(),
    destroy: () => void stream.destroy(),
  };
}

/** Every piece is flushed, so that an event of a compressed stream is seen when it was sent. */
function createStream(name: string): Gunzip | Inflate | BrotliDecompress | ZstdDecompress {
  const flush = constants.Z_SYNC_FLUSH;
  const brotliFlush = constants.BROTLI_OPERATION_FLUSH;
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ flush, finishFlush: flush });
    case 'deflate':
      return createInflate({ flush, finishFlush: flush });
    case 'br':
      return createBrotliDecompress({ flush: brotliFlush, finishFlush: brotliFlush });
    case 'zstd':
      return createZstdDecompress();
    default:
      throw new CeriseError(
        'unreadable_response',
        say(
          'encoding-unasked',
        )`The server's response is encoded as "${name.slice(0, 50)}", which wasn't requested.`,
      );
  }
}
