import type { AboutView } from '#shared/api/about-api.ts';
import type { Settings, SettingsView } from '#shared/api/api.ts';
import type { UsageView } from '#shared/api/usage-api.ts';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { ModelPrice, Provider, VendorInfo } from '#shared/vocabulary/model.ts';
import { newKey } from './key.ts';
import { at } from './path.ts';
import { request } from './request.ts';

/** What a person writes of a provider; an absent key leaves the stored one alone. */
export interface ProviderDraft {
  name?: string;
  kind: string;
  /** Empty: the vendor's own. */
  baseUrl: string;
  apiKey?: string;
  models: string[];
}

/** What may be said of any provider, also of one that was found; null removes a price. */
type ProviderMark =
  | { enabled: boolean }
  | { hidden: Record<string, boolean> }
  | { prices: Record<string, ModelPrice | null> };

/** What the test of a provider brought out. */
export interface ProviderTest {
  ok: boolean;
  /** How many models it has. */
  models?: number;
  /** The one that was asked for a word. */
  model?: string;
  /** How long it took. */
  ms: number;
  error?: ErrorInfo;
}

/** Providers and the host's settings. */
export const settingsApi = {
  providers: () => request<{ providers: Provider[] }>('/api/providers'),
  createProvider: (body: ProviderDraft) =>
    request<Provider>('/api/providers', { method: 'POST', body, key: newKey() }),
  vendors: () => request<{ vendors: VendorInfo[] }>('/api/vendors'),
  discover: () => request<{ providers: Provider[] }>('/api/providers/discover', { method: 'POST' }),
  testProvider: (id: string) =>
    request<ProviderTest>(at`/api/providers/${id}/test`, { method: 'POST', body: {} }),
  updateProvider: (id: string, body: Partial<ProviderDraft> | ProviderMark) =>
    request<Provider>(at`/api/providers/${id}`, { method: 'PATCH', body }),
  removeProvider: (id: string) => request<void>(at`/api/providers/${id}`, { method: 'DELETE' }),
  about: (signal: AbortSignal) => request<AboutView>('/api/about', { signal }),
  read: () => request<Settings>('/api/settings'),
  usage: (days: number, signal: AbortSignal) => {
    const offset = -new Date().getTimezoneOffset();
    return request<UsageView>(at`/api/usage?days=${days}&offset=${offset}`, { signal });
  },
  write: (body: Settings) => request<SettingsView>('/api/settings', { method: 'PUT', body }),
};
