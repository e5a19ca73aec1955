import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** Bytes in one piece, or as they come in. */
export type BlobSource = Uint8Array | AsyncIterable<Uint8Array>;

/** From `start` to before `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where the bytes of blobs are, named by their hash: a folder, or the rows themselves. */
export interface BlobPlace {
  /** Takes the bytes in; leaves nothing behind if it throws. */
  receive(source: BlobSource, largest: number): Promise<ReceivedBytes>;
  /** Undefined if they are not there. */
  sizeOf(hash: string): Promise<number | undefined>;
  /**
   * A part of them; throws CeriseError `data_unreadable` where there is less. Nothing stays open between
   * two parts: a reader may go away without a word.
   */
  read(hash: string, range: ByteRange): Promise<Buffer<ArrayBuffer>>;
  /** Called when their row is gone. */
  remove(hash: string): Promise<void>;
  /** Removes what an earlier process left half done. */
  clean(): Promise<void>;
  /** The hashes of what is there and might have no row, a few at a time. */
  list(): AsyncIterable<string[]>;
}

/** Bytes that were taken in and are not kept yet. */
export interface ReceivedBytes {
  hash: string;
  size: number;
  /** The first of them, enough to see their type. */
  head: Uint8Array;
  /** What goes into the row itself. */
  bytes: Uint8Array | null;
  /** Makes them durable, before their row commits. */
  settle(): Promise<void>;
  /** Follows in any case; after `settle` there is nothing left to give back. */
  discard(): Promise<void>;
}

/** The error of bytes that a row names and that are not there, or not all of them. */
export function unreadableBytes(hash: string): CeriseError {
  return new CeriseError(
    'data_unreadable',
    say(
      'blob-missing',
    )`A file's content is missing from the data folder (blobs/${hash.slice(0, 2)}/${hash}).`,
    {
      hint: say(
        'blob-missing-hint',
      )`Restore the "blobs" folder from a backup, or send the file again.`,
    },
  );
}
