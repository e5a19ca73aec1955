import { CeriseError } from '#shared/errors/errors.ts';
import { api } from '../../../state/session/api.ts';

/** A file that the host keeps; it goes after a day unless a message takes it. */
export interface UploadedFile {
  id: string;
  size: number;
  mimeType: string;
}

interface UploadOptions {
  name: string;
  mimeType: string;
  /** Called with 0 to 1 while the bytes go out. */
  onProgress?: (ratio: number) => void;
  signal?: AbortSignal;
}

/** Sends one file. Every failure is a CeriseError. Not `fetch`: that says nothing of its progress. */
export function uploadFile(bytes: Blob, options: UploadOptions): Promise<UploadedFile> {
  const { name, mimeType, onProgress, signal } = options;
  const { promise, resolve, reject } = Promise.withResolvers<UploadedFile>();
  const call = new XMLHttpRequest();
  const fail = (code: 'cancelled' | 'connection_lost', message: string) => () =>
    reject(new CeriseError(code, message));
  call.open('POST', `/api/files?name=${encodeURIComponent(name)}`);
  call.setRequestHeader('content-type', mimeType);
  call.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress?.(total > 0 ? loaded / total : 0),
  );
  call.addEventListener('error', fail('connection_lost', 'The host cannot be reached.'));
  call.addEventListener('abort', fail('cancelled', 'Cancelled.'));
  call.addEventListener('load', () => {
    const { status, responseText } = call;
    if (status === 201) resolve(new Response(responseText).json() as Promise<UploadedFile>);
    else reject(api.connection.failureOf(status, responseText));
  });
  signal?.addEventListener('abort', () => call.abort(), { once: true });
  call.send(bytes);
  return promise;
}
