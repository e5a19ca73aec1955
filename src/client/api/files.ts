import { brokeOff, type Connection, readText } from '../http/connection.ts';
import { at } from '../http/path.ts';

/** The path of a stored file. */
export function blobPath(id: string): string {
  return at`/api/blobs/${id}`;
}

/** Stored files, and images of other hosts, which our host fetches. */
export const filesApi = ({ send, request }: Connection) => ({
  /** Sends a file; it is deleted after a day unless a message takes it. */
  upload: (file: Blob, name: string) =>
    request<{ id: string; size: number; mimeType: string }>(at`/api/files?name=${name}`, {
      method: 'POST',
      body: file,
    }),
  text: async (id: string, signal?: AbortSignal): Promise<string> =>
    readText(await send(blobPath(id), signal && { signal }), signal),
  /** The beginning of a text, without a character that is cut off at its end. */
  firstText: async (id: string, bytes: number, signal?: AbortSignal): Promise<string> => {
    const headers = { range: `bytes=0-${bytes - 1}` };
    const text = await readText(
      await send(blobPath(id), { signal: signal ?? null, headers }),
      signal,
    );
    return text.replace(/\uFFFD+$/, '');
  },
  picture: async (address: string): Promise<Blob> => {
    const response = await send(at`/api/pictures?url=${address}`);
    return response.blob().catch((cause: unknown) => Promise.reject(brokeOff(cause)));
  },
});
