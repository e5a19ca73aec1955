import type {
  InstalledEntry,
  InstallEntry,
  RegistryList,
  RegistrySearch,
  SearchRegistry,
  SetRegistries,
} from '#shared/api/registry-api.ts';
import type { Connection } from '../http/connection.ts';

/** The catalogue of servers. Only `check` asks registries; the rest reads their last copy. */
export const registryApi = ({ request }: Connection) => ({
  list: (signal?: AbortSignal) => request<RegistryList>('/api/registry', { signal }),
  set: (body: SetRegistries) => request<RegistryList>('/api/registry', { method: 'PUT', body }),
  check: (registry?: string, signal?: AbortSignal) =>
    request<RegistryList>('/api/registry/check', { method: 'POST', body: { registry }, signal }),
  search: (query: SearchRegistry, signal?: AbortSignal) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const words = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
    return request<RegistrySearch>(`/api/registry/servers?${words.toString()}`, { signal });
  },
  install: (body: InstallEntry, signal?: AbortSignal) =>
    request<InstalledEntry>('/api/registry/install', { method: 'POST', body, signal }),
});
