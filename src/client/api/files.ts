import { brokeOff, type Connection, readText } from '../http/connection.ts';
import { at } from '../http/path.ts';

/** Where something is that is kept whole outside of the conversation. */
export function blobPath(id: string): string {
  return at`/api/blobs/${id}`;
}

/** What is kept outside of conversations, and pictures of other hosts, which ours fetches. */
export const filesApi = ({ send }: Connection) => ({
  text: async (id: string, signal: AbortSignal): Promise<string> =>
    readText(await send(blobPath(id), { signal }), signal),
  picture: async (address: string): Promise<Blob> => {
    const response = await send(at`/api/pictures?url=${address}`);
    return response.blob().catch((cause: unknown) => Promise.reject(brokeOff(cause)));
  },
});
