import { requestText } from './request.ts';
import { at } from './path.ts';

/** What is kept whole outside of the conversation. */
export const blobsApi = {
  url: (id: string) => at`/api/blobs/${id}`,
  text: (id: string, signal: AbortSignal) => requestText(at`/api/blobs/${id}`, signal),
};
