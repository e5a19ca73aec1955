import { at } from './path.ts';
import { requestBlob } from './request.ts';

/** Pictures of other hosts, which ours fetches for the page. */
export const picturesApi = {
  fetch: (address: string) => requestBlob(at`/api/pictures?url=${address}`),
};
