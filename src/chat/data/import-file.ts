import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExportLine, exportLineSchema } from '#shared/api/export-file.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import { jsonExcess } from '#shared/vocabulary/json.ts';
import { diskError } from '#store/database/disk-error.ts';
import { othersFirst, Slice } from '#store/database/slices.ts';

/** Bytes. A line holds one message with its blocks, or a piece of a file. */
interface ImportSizes {
  importSize: number;
  importLine: number;
}

const readBytes = 1024 * 1024;
/** So much of a line is read in a fraction of a second. The largest result of a tool fits in. */
const bounds = { depth: 250, parts: 250_000, fields: 100_000 };

/** An export file that was taken in; it can be read several times and is gone when it is closed. */
export class ImportFile {
  readonly #handle: FileHandle;
  /** In bytes. */
  readonly size: number;

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /**
   * Takes the bytes in as they come: whatever is read from them later keeps no transaction waiting for a
   * network. Throws `file_too_large`, and `invalid_request` for a line that is too long.
   */
  static async receive(
    home: string,
    source: AsyncIterable<Uint8Array>,
    most: ImportSizes,
  ): Promise<ImportFile> {
    const path = join(home, `import-${randomUUID()}.tmp`);
    const handle = await open(path, 'wx+', 0o600).catch(rethrow);
    try {
      // Without a name it goes with the process, however that ends.
      await rm(path);
      return new ImportFile(handle, await write(handle, source, most));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Its lines from the first on. */
  read(): ImportLines {
    return new ImportLines(this.#handle);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** The lines of a file one after the other, with a look at the next. Throws `invalid_request`. */
export class ImportLines {
  readonly #lines: AsyncIterator<string>;
  readonly #slice = new Slice();
  #next: ExportLine | undefined;
  #number = 0;
  #size = 0;

  constructor(handle: FileHandle) {
    this.#lines = splitLines(handle);
  }

  /** The number of the line that was read last. */
  get number(): number {
    return this.#number;
  }

  /** How many characters that line has. */
  get size(): number {
    return this.#size;
  }

  /** The next line, which stays the next; undefined at the end. */
  async peek(): Promise<ExportLine | undefined> {
    return (this.#next ??= await this.#parse());
  }

  async take(): Promise<ExportLine | undefined> {
    const line = await this.peek();
    this.#next = undefined;
    return line;
  }

  /** The next line if it is of this kind. */
  async takeIf<K extends ExportLine['kind']>(
    kind: K,
  ): Promise<Extract<ExportLine, { kind: K }> | undefined> {
    const line = await this.peek();
    if (line?.kind !== kind) return undefined;
    this.#next = undefined;
    return line as Extract<ExportLine, { kind: K }>;
  }

  async #parse(): Promise<ExportLine | undefined> {
    const { done, value } = await this.#lines.next();
    if (done) return undefined;
    this.#number += 1;
    this.#size = value.length;
    if (this.#slice.add(value.length)) {
      this.#slice.clear();
      await othersFirst();
    }
    const parsed = exportLineSchema.safeParse(readJson(value, this.#number));
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw invalidLine(this.#number, `${issue?.path.join('.')}: ${issue?.message}`);
  }
}

/** What is wrong with a line of an export file. */
export function invalidLine(number: number, problem: Words): CeriseError {
  return new CeriseError(
    'invalid_request',
    say('export-line')`Line ${number} isn't valid in an export file: ${problem}`,
    {
      hint: say('export-choose')`Choose a file exported from Cerise. Nothing was imported.`,
    },
  );
}

async function write(
  handle: FileHandle,
  source: AsyncIterable<Uint8Array>,
  { importSize, importLine }: ImportSizes,
): Promise<number> {
  let size = 0;
  let lineSize = 0;
  for await (const piece of source) {
    size += piece.length;
    const start = piece.lastIndexOf(10);
    const first = piece.indexOf(10);
    if (lineSize + (first === -1 ? piece.length : first) > importLine) throw lineTooLong();
    lineSize = start === -1 ? lineSize + piece.length : piece.length - start - 1;
    if (size > importSize)
      throw new CeriseError(
        'file_too_large',
        say('export-over')`Export files can be up to ${Math.floor(importSize / 1024 ** 2)} MiB.`,
      );
    // All of it: a disk that is nearly full takes a part without a word.
    await handle.writeFile(piece).catch(rethrow);
  }
  return size;
}

function rethrow(error: unknown): never {
  throw diskError(error, say('data-folder')`The data folder`);
}

/** Only a line feed ends a line: other separators may stand in a JSON string. */
async function* splitLines(handle: FileHandle): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(readBytes), position });
    if (bytesRead === 0) break;
    position += bytesRead;
    let start = 0;
    for (let end = buffer.indexOf(10); end !== -1 && end < bytesRead;) {
      yield Buffer.concat([...rest, buffer.subarray(start, end)]).toString();
      rest = [];
      start = end + 1;
      end = buffer.indexOf(10, start);
    }
    rest.push(buffer.subarray(start, bytesRead));
  }
  const last = Buffer.concat(rest);
  if (last.length > 0) yield last.toString();
}

function readJson(text: string, number: number): unknown {
  const excess = jsonExcess(text, bounds);
  if (excess === 'depth') throw invalidLine(number, say('line-deep')`it's nested too deeply.`);
  if (excess) throw invalidLine(number, say('line-parts')`it has too many parts.`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidLine(number, say('line-no-json')`it isn't valid JSON.`);
  }
}

function lineTooLong(): CeriseError {
  return new CeriseError(
    'invalid_request',
    say('line-long')`This isn't an export file: one of its lines is too long.`,
  );
}
