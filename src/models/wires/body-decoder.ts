import type { Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createInflate,
  createUnzip,
  createZstdDecompress,
} from 'node:zlib';

/** Unpacks the bytes of an answer as they come. */
export interface BodyDecoder {
  /** False while so much waits to be unpacked that no more should come: `onRoom` is called then. */
  write(bytes: Buffer): boolean;
  /** No more bytes come: `onEnd` is called after the last that was unpacked. */
  end(): void;
  /** Nothing more is wanted. */
  stop(): void;
}

interface DecoderEvents {
  onData: (bytes: Buffer) => void;
  onEnd: () => void;
  onRoom: () => void;
  /** The bytes are damaged, or there are too few of them. */
  onError: (error: Error) => void;
}

/**
 * What unpacks a body with this `content-encoding`; undefined when it is not packed. It is asked for
 * as it is, which not every proxy on the way respects.
 */
export function createBodyDecoder(
  encoding: string | string[] | undefined,
  { onData, onEnd, onRoom, onError }: DecoderEvents,
): BodyDecoder | undefined {
  const create = decoders.get(String(encoding).trim().toLowerCase());
  if (!create) return undefined;
  const stream = create();
  stream.on('data', onData).on('drain', onRoom).once('end', onEnd).once('error', onError);
  return {
    write: (bytes) => stream.write(bytes),
    end: () => void stream.end(),
    stop: () => void stream.removeListener('end', onEnd).destroy(),
  };
}

const decoders = new Map<string, () => Transform>([
  ['gzip', createUnzip],
  ['x-gzip', createUnzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);
