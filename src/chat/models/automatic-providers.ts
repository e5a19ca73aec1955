import type { LocalServer } from '#models/catalog/local-servers.ts';
import type { EnvironmentProvider } from '#models/vendors/environment.ts';
import { findVendor } from '#models/vendors/vendors.ts';
import type { Provider } from '#shared/vocabulary/model.ts';
import { localOwner } from '../people/users.ts';
import { marksOf, type ProviderMarks } from './provider-marks.ts';

/** A provider with its key and its owner. */
export type WithKey = Provider & { apiKey?: string | undefined; owner: string };

/** A provider whose key is in the environment. */
export function fromEnvironment(provider: EnvironmentProvider, marks: ProviderMarks): WithKey {
  const id = `environment-${provider.name}`;
  const rest = {
    slug: provider.name,
    models: [],
    hasKey: true,
    createdAt: 0,
    ...marksOf(marks, id),
  };
  return {
    ...provider,
    id,
    name: nameOf(provider),
    ...rest,
    owner: localOwner,
    fromEnvironment: true,
  };
}

/** A model server that was found on this machine. */
export function fromDiscovery(server: LocalServer, marks: ProviderMarks): WithKey {
  const { name: slug, kind, baseUrl } = server;
  const id = `found-${slug}`;
  const rest = { slug, models: [], hasKey: false, createdAt: 0, ...marksOf(marks, id) };
  return {
    id,
    name: nameOf(server),
    kind,
    baseUrl,
    ...rest,
    owner: localOwner,
    fromDiscovery: true,
  };
}

/** What people call a provider that nobody named: its vendor, and what tells two of one vendor apart. */
function nameOf({ name: slug, kind }: { name: string; kind: string }): string {
  const vendor = findVendor(kind);
  return vendor ? slug.replace(vendor.name, vendor.label) : slug;
}
