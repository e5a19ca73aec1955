import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** Bodies that announce no more than this come in one piece: a stream costs more than all that is in them. */
const shortBytes = 64 * 1024;

/**
 * The body of a request as it comes in. Who stops early leaves the rest to the server: to cancel it would
 * close the connection, and the client would never read why. Throws CeriseError `cancelled` where the
 * client breaks off.
 */
export async function* incomingBytes(request: Request): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? NaN) <= shortBytes)
    return yield new Uint8Array(await request.arrayBuffer().catch(brokenOff));
  const { body } = request;
  if (!body) return;
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } catch (cause) {
    brokenOff(cause);
  } finally {
    reader.releaseLock();
  }
}

/** The whole body at once, whatever its size. Throws CeriseError `cancelled` where the client breaks off. */
export async function incomingText(request: Request): Promise<string> {
  return request.text().catch(brokenOff);
}

/** Says of a body that could not be read to its end that its client went away; what was refused stays refused. */
function brokenOff(cause: unknown): never {
  if (cause instanceof CeriseError) throw cause;
  throw new CeriseError('cancelled', say('upload-cut')`The upload was interrupted.`, { cause });
}
