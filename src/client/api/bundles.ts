import type { ServerView } from '#shared/api/api.ts';
import type {
  BundleList,
  BundleView,
  ChangeBundle,
  FetchBundle,
  InstallBundle,
} from '#shared/api/bundle-api.ts';
import type { Connection } from '../http/connection.ts';
import { at } from '../http/path.ts';

/** Bundles: archives that become servers. Nothing is installed before `install`. */
export const bundlesApi = ({ request }: Connection) => ({
  list: () => request<BundleList>('/api/bundles'),
  upload: (file: Blob, signal?: AbortSignal) =>
    request<BundleView>('/api/bundles', {
      method: 'POST',
      body: new Blob([file], { type: 'application/zip' }),
      signal,
    }),
  fetch: (body: FetchBundle, signal?: AbortSignal) =>
    request<BundleView>('/api/bundles/fetch', { method: 'POST', body, signal }),
  install: (body: InstallBundle) =>
    request<ServerView>('/api/bundles/install', { method: 'POST', body }),
  read: (serverId: string, signal?: AbortSignal) =>
    request<BundleView>(at`/api/bundles/${serverId}`, { signal }),
  change: (serverId: string, body: ChangeBundle) =>
    request<ServerView>(at`/api/bundles/${serverId}`, { method: 'PATCH', body }),
});
