import { createHash, randomBytes } from 'node:crypto';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { ByteCollector } from '#shared/text/byte-collector.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { bodyTooLarge, parseBody } from '../api/parse-body.ts';

/** Files that are longer than this are decoded as they come in. */
const fileChars = 64 * 1024;
const stepBytes = 32 * 1024;
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];

/** A body of JSON whose files were taken out of it. */
export interface LargeJson {
  value: unknown;
  /** The bytes of a file that was taken out, and what stood before its base64; undefined for any other text. */
  file: (text: string) => { before: string; bytes: Uint8Array[] } | undefined;
  /** Whether any file was taken out. */
  hasFiles: boolean;
  /** Of the body as it came. */
  hash: string;
}

/** Limits of the whole body, of its text without the files, and of the JSON values in it. */
type Bounds = Pick<Limits, 'v1Body' | 'v1Text' | 'bodyParts'>;

/**
 * Reads a body of JSON, in pieces of bounded work: a file in it is never a text here, and is never parsed. Throws
 * `body_too_large`, `invalid_json`.
 */
export async function readLargeJson(
  body: AsyncIterable<Uint8Array>,
  limits: Bounds,
): Promise<LargeJson> {
  const hash = createHash('sha256');
  const { v1Body: most, v1Text: mostText } = limits;
  const reader = new FileExtractor(mostText);
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > most) throw bodyTooLarge(most);
    hash.update(piece);
    reader.read(piece);
  }
  const value = parseBody(reader.text(), limits);
  return {
    value,
    file: (text) => reader.file(text),
    hasFiles: reader.hasFiles,
    hash: hash.digest('base64url'),
  };
}

interface ExtractedFile {
  before: string;
  bytes: Uint8Array[];
}

/** Takes long base64 strings out of JSON as it arrives, and leaves an unguessable name in place of each. */
class FileExtractor {
  readonly #mostText: number;
  readonly #rest = new ByteCollector();
  readonly #string = new ByteCollector();
  readonly #secret = randomBytes(16).toString('hex');
  readonly #files: ExtractedFile[] = [];
  #isInString = false;
  #isEscaped = false;
  /** The current string is long, but not a file. */
  #isText = false;
  #decoder: Base64Decoder | undefined;

  constructor(mostText: number) {
    this.#mostText = mostText;
  }

  /** In steps shorter than a file, so that a file is recognised before it ends. */
  read(piece: Uint8Array): void {
    for (let from = 0; from < piece.length; from += stepBytes)
      this.#readStep(piece.subarray(from, from + stepBytes));
  }

  #readStep(piece: Uint8Array): void {
    let from = 0;
    while (from < piece.length) {
      const end = this.#isInString ? this.#endOfString(piece, from) : piece.indexOf(quote, from);
      const to = end < 0 ? piece.length : end + 1;
      const part = piece.subarray(from, to);
      if (this.#isInString) this.#readString(part, end >= 0);
      else this.#keep(part);
      if (end >= 0) this.#isInString = !this.#isInString;
      from = to;
    }
  }

  text(): string {
    if (this.#isInString) this.#keep(this.#string.bytes());
    return this.#rest.text();
  }

  get hasFiles(): boolean {
    return this.#files.length > 0;
  }

  file(text: string): ExtractedFile | undefined {
    if (!text.startsWith(this.#secret)) return undefined;
    return this.#files[Number(text.slice(this.#secret.length + 1))];
  }

  #endOfString(piece: Uint8Array, from: number): number {
    // Base64 escapes nothing.
    if (this.#decoder) return piece.indexOf(quote, from);
    for (let at = from; at < piece.length; at += 1) {
      if (this.#isEscaped) {
        this.#isEscaped = false;
        continue;
      }
      if (piece[at] === backslash) this.#isEscaped = true;
      else if (piece[at] === quote) return at;
    }
    return -1;
  }

  #readString(part: Uint8Array, isEnd: boolean): void {
    if (this.#decoder) {
      this.#decoder.write(isEnd ? part.subarray(0, -1) : part);
      if (isEnd) this.#endFile(this.#decoder);
      return;
    }
    if (this.#isText) {
      this.#isText = !isEnd;
      return this.#keep(part);
    }
    this.#string.append(part);
    if (isEnd) {
      this.#keep(this.#string.bytes());
      this.#string.clear();
    } else if (this.#string.size > fileChars) this.#judge();
  }

  /** A long string is a file if it is in a field for files and starts like one; anything else is text. */
  #judge(): void {
    const bytes = this.#string.bytes();
    const isPlace = filePlace.test(latin(this.#rest.bytes().subarray(-maxPlace)));
    const begin = isPlace ? fileBegin(bytes) : undefined;
    if (begin === undefined) {
      this.#isText = true;
      this.#keep(bytes);
    } else {
      this.#decoder = new Base64Decoder();
      this.#decoder.write(bytes.subarray(begin));
      this.#files.push({
        before: latin(bytes.subarray(0, begin)),
        bytes: this.#decoder.pieces,
      });
    }
    this.#string.clear();
  }

  #endFile(decoder: Base64Decoder): void {
    decoder.end();
    this.#decoder = undefined;
    this.#keep(Buffer.from(`${this.#secret}.${this.#files.length - 1}"`));
  }

  #keep(part: Uint8Array): void {
    if (this.#rest.size + part.length > this.#mostText) throw bodyTooLarge(this.#mostText);
    this.#rest.append(part);
  }
}

/** The fields that hold files in the requests of all vendors; a text is a text, whatever is in it. */
const filePlace = /"(?:data|file_data|file_url|image_url|url)"\s*:\s*"$/;
const maxPlace = 100;
const dataUrl = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*;base64,$/i;
const maxBefore = 200;

/** Where the base64 of a file begins: after the head of a data URL, or at once. */
function fileBegin(bytes: Uint8Array): number | undefined {
  const headEnd = bytes.subarray(0, maxBefore).indexOf(comma);
  const head = latin(bytes.subarray(0, headEnd + 1));
  const begin = headEnd >= 0 && dataUrl.test(head) ? headEnd + 1 : 0;
  return notBase64.test(latin(bytes.subarray(begin))) ? undefined : begin;
}

const notBase64 = /[^\w+/=-]/;

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** Decodes base64 that arrives in pieces, and joins small ones: each separate buffer costs 100 bytes more. */
class Base64Decoder {
  readonly pieces: Uint8Array[] = [];
  readonly #coded = new ByteCollector();

  write(bytes: Uint8Array): void {
    this.#coded.append(bytes);
    if (this.#coded.size >= stepBytes) this.#decode(this.#coded.size - (this.#coded.size % 4));
  }

  end(): void {
    this.#decode(this.#coded.size);
  }

  #decode(size: number): void {
    if (size === 0) return;
    const bytes = this.#coded.bytes();
    const text = latin(bytes.subarray(0, size));
    if (notBase64.test(text)) throw noBase64();
    this.pieces.push(Buffer.from(text, 'base64'));
    const left = bytes.slice(size);
    this.#coded.clear();
    this.#coded.append(left);
  }
}

function noBase64(): CeriseError {
  return new CeriseError(
    'invalid_request',
    say('no-base64')`A file in the request isn't valid base64.`,
  );
}
