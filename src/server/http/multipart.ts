import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';

const maxHeaderBytes = 8 * 1024;
const lineEnd = '\r\n';

/** The one file of a form, whose bytes are still coming in. */
export interface FilePart {
  name: string;
  mimeType: string;
  /** Throws CeriseError `invalid_request` where the form does not end after it as a form must. */
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * The file of a `multipart/form-data` body that has exactly one part. It is read as it comes in: the
 * form's own reader would hold all of it, several times.
 */
export async function readFilePart(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<FilePart> {
  const delimiter = `${lineEnd}--${boundaryOf(contentType)}`;
  const input = new Input(body[Symbol.asyncIterator](), lineEnd);
  await input.before(delimiter, maxHeaderBytes);
  if ((await input.before(lineEnd, maxHeaderBytes)).trim() !== '') throw malformed(oneFile);
  const header = await input.before(lineEnd + lineEnd, maxHeaderBytes);
  const disposition = /^content-disposition:(.*)$/im.exec(header)?.[1] ?? '';
  const name = fileName(disposition);
  if (name === undefined) throw malformed(oneFile);
  const mimeType = /^content-type:(.*)$/im.exec(header)?.[1]?.trim() ?? '';
  return { name, mimeType, bytes: contentOf(input, delimiter) };
}

const oneFile = say('form-one-file')`The form must have exactly one field, which must be a file.`;

async function* contentOf(input: Input, delimiter: string): AsyncIterable<Uint8Array> {
  yield* input.until(delimiter);
  if ((await input.take(2)) !== '--') throw malformed(oneFile);
}

function boundaryOf(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined)
    throw malformed(say('form-no-boundary')`The form's content type has no boundary.`);
  return boundary;
}

/** Browsers write a quote as %22, other programs put a backslash before it. */
function fileName(disposition: string): string | undefined {
  const quoted = /;\s*filename="((?:\\.|[^"\\])*)"/i.exec(disposition)?.[1];
  if (quoted === undefined) return /;\s*filename=([^\s;"]+)/i.exec(disposition)?.[1];
  return quoted.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"');
}

/** What has come in and was not read yet. */
class Input {
  readonly #source: AsyncIterator<Uint8Array>;
  #ahead: Buffer;

  constructor(source: AsyncIterator<Uint8Array>, ahead: string) {
    this.#source = source;
    this.#ahead = Buffer.from(ahead, 'latin1');
  }

  /** The text before a mark, and reads the mark too. */
  async before(mark: string, most: number): Promise<string> {
    for (;;) {
      const at = this.#ahead.indexOf(mark, 0, 'latin1');
      if (at >= 0) return this.#skip(at, mark.length).toString('utf8');
      if (this.#ahead.length > most)
        throw malformed(say('form-header-long')`The form's header is too long.`);
      await this.#more();
    }
  }

  /** The bytes before a mark, as they come, and reads the mark too. */
  async *until(mark: string): AsyncIterable<Uint8Array> {
    for (;;) {
      const at = this.#ahead.indexOf(mark, 0, 'latin1');
      const safe = at >= 0 ? at : Math.max(0, this.#ahead.length - mark.length + 1);
      const part = this.#skip(safe, at >= 0 ? mark.length : 0);
      if (part.length > 0) yield part;
      if (at >= 0) return;
      await this.#more();
    }
  }

  async take(length: number): Promise<string> {
    while (this.#ahead.length < length) await this.#more();
    return this.#skip(length, 0).toString('latin1');
  }

  #skip(length: number, more: number): Buffer {
    const part = this.#ahead.subarray(0, length);
    this.#ahead = this.#ahead.subarray(length + more);
    return part;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done) throw malformed(say('form-cut')`The form is incomplete.`);
    this.#ahead = Buffer.concat([this.#ahead, value]);
  }
}

function malformed(message: Words): CeriseError {
  return new CeriseError('invalid_request', message, {
    hint: say('form-hint')`Send the file's bytes as the body, or a form with one file field.`,
  });
}
