import { createHash } from 'node:crypto';
import { refuseLargeFile } from '#shared/errors/file-size.ts';
import { sniffBytes } from '#shared/text/media-type.ts';
import type { BlobSource } from './blob-place.ts';

const sliceBytes = 1024 * 1024;
const blockBytes = 64 * 1024;

/** Hashes and measures what goes through it; throws `file_too_large` as soon as it is. */
export class ByteCounter {
  readonly #hash = createHash('sha256');
  #head = Buffer.alloc(0);
  readonly #largest: number;
  #size = 0;

  constructor(largest: number) {
    this.#largest = largest;
  }

  async *through(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const piece of pieces) {
      this.add(piece);
      yield piece;
    }
  }

  add(piece: Uint8Array): void {
    this.#size += piece.length;
    refuseLargeFile(this.#size, this.#largest);
    this.#hash.update(piece);
    if (this.#head.length < sniffBytes)
      this.#head = Buffer.concat([this.#head, piece.subarray(0, sniffBytes)]);
  }

  /** Once, at the end. */
  result(): { hash: string; size: number; head: Uint8Array } {
    return { hash: this.#hash.digest('hex'), size: this.#size, head: this.#head };
  }
}

/** Bytes in pieces that are worth a call to the disk, and that leave room for others in between. */
export function inPieces(source: BlobSource, largest: number): AsyncIterable<Uint8Array> {
  return source instanceof Uint8Array ? slices(source, largest) : blocks(source);
}

async function* slices(bytes: Uint8Array, largest: number): AsyncIterable<Uint8Array> {
  refuseLargeFile(bytes.length, largest);
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve));
    yield bytes.subarray(at, at + sliceBytes);
  }
}

async function* blocks(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let block = Buffer.allocUnsafe(blockBytes);
  let filled = 0;
  for await (const piece of source) {
    if (filled > 0 && filled + piece.length > blockBytes) {
      yield block.subarray(0, filled);
      block = Buffer.allocUnsafe(blockBytes);
      filled = 0;
    }
    if (piece.length > blockBytes) yield piece;
    else {
      block.set(piece, filled);
      filled += piece.length;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}
