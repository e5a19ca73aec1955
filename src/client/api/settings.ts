import type { z } from 'zod';
import type { AboutView } from '#shared/api/about-api.ts';
import type { modelsViewSchema, Settings, SettingsView } from '#shared/api/api.ts';
import type { providerTestSchema, updateProviderSchema } from '#shared/api/provider-api.ts';
import type { HostLogLevel, HostLogView, LogLevelView } from '#shared/telemetry/log-api.ts';
import type { UsageView } from '#shared/api/usage-api.ts';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { Provider, VendorInfo } from '#shared/vocabulary/model.ts';
import type { Connection } from '../http/connection.ts';
import { newKey } from '../http/key.ts';
import { at } from '../http/path.ts';

/** A provider as a person enters it; an absent key leaves the stored one unchanged. */
export interface ProviderDraft {
  name: string;
  kind: string;
  /** Empty: the vendor's own. */
  baseUrl: string;
  apiKey?: string;
  models: string[];
}

/** The result of testing a provider. */
export type ProviderTest = Omit<z.infer<typeof providerTestSchema>, 'error'> & {
  error?: ErrorInfo;
};

type ModelsView = z.infer<typeof modelsViewSchema>;

/** Providers, their models and the host's settings. */
export const settingsApi = ({ request }: Connection) => ({
  models: () => request<ModelsView>('/api/models'),
  providers: () => request<{ providers: Provider[] }>('/api/providers'),
  createProvider: (body: ProviderDraft) =>
    request<Provider>('/api/providers', { method: 'POST', body, key: newKey() }),
  vendors: () => request<{ vendors: VendorInfo[] }>('/api/vendors'),
  discover: () => request<{ providers: Provider[] }>('/api/providers/discover', { method: 'POST' }),
  testProvider: (id: string) =>
    request<ProviderTest>(at`/api/providers/${id}/test`, { method: 'POST', body: {} }),
  updateProvider: (id: string, body: z.input<typeof updateProviderSchema>) =>
    request<Provider>(at`/api/providers/${id}`, { method: 'PATCH', body }),
  removeProvider: (id: string) => request<void>(at`/api/providers/${id}`, { method: 'DELETE' }),
  about: (signal?: AbortSignal) => request<AboutView>('/api/about', { signal }),
  read: () => request<Settings>('/api/settings'),
  log: (signal?: AbortSignal) => request<HostLogView>('/api/host/logs', { signal }),
  setLogLevel: (level: HostLogLevel | null) =>
    request<LogLevelView>('/api/host/logs', { method: 'PUT', body: { level } }),
  usage: (days: number, signal?: AbortSignal) => {
    const offset = -new Date().getTimezoneOffset();
    return request<UsageView>(at`/api/usage?days=${days}&offset=${offset}`, { signal });
  },
  write: (body: Settings) => request<SettingsView>('/api/settings', { method: 'PUT', body }),
});
