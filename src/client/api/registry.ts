import type {
  CheckRegistry,
  EntryVersions,
  InstalledEntry,
  InstallEntry,
  InstallRequests,
  InstallRequestView,
  RegistryList,
  RegistrySearch,
  RequestEntry,
  SearchRegistry,
  ServerUpdates,
  SetRegistries,
  UpdatedEntry,
  UpdateEntry,
  VersionList,
} from '#shared/api/registry-api.ts';
import { at, queryOf } from '../http/path.ts';
import type { Connection } from '../http/connection.ts';

/** The catalogue of servers. Only `check` and `versions` ask registries; the rest reads their last copy. */
export const registryApi = ({ request }: Connection) => ({
  list: (signal?: AbortSignal) => request<RegistryList>('/api/registry', { signal }),
  set: (body: SetRegistries) => request<RegistryList>('/api/registry', { method: 'PUT', body }),
  check: (body: CheckRegistry = {}, signal?: AbortSignal) =>
    request<RegistryList>('/api/registry/check', { method: 'POST', body, signal }),
  versions: (body: EntryVersions, signal?: AbortSignal) =>
    request<VersionList>('/api/registry/versions', { method: 'POST', body, signal }),
  search: (query: SearchRegistry, signal?: AbortSignal) =>
    request<RegistrySearch>(`/api/registry/servers?${queryOf(query)}`, { signal }),
  install: (body: InstallEntry, signal?: AbortSignal) =>
    request<InstalledEntry>('/api/registry/install', { method: 'POST', body, signal }),
  updates: (signal?: AbortSignal) => request<ServerUpdates>('/api/registry/updates', { signal }),
  update: (body: UpdateEntry, signal?: AbortSignal) =>
    request<UpdatedEntry>('/api/registry/update', { method: 'POST', body, signal }),
  requests: (signal?: AbortSignal) =>
    request<InstallRequests>('/api/registry/requests', { signal }),
  request: (body: RequestEntry) =>
    request<InstallRequestView>('/api/registry/requests', { method: 'POST', body }),
  deny: (id: string) =>
    request<InstallRequestView>(at`/api/registry/requests/${id}/deny`, {
      method: 'POST',
    }),
  withdraw: (id: string) => request<void>(at`/api/registry/requests/${id}`, { method: 'DELETE' }),
});
