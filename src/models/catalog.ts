import { CeriseError } from '#shared/errors.ts';
import { nearestNames } from '#shared/nearest-names.ts';
import type { ModelAdapter, ModelInfo } from '#shared/model.ts';
import { demoModelInfo } from './demo/model.ts';
import {
  listVendorModels,
  openAiCompatible,
  type OpenAiCompatibleProvider,
} from './openai-compatible.ts';

const freshTime = 5 * 60_000;
const failedTime = 15_000;
const maxAdapters = 200;

/** A configured vendor with its key, as the catalog needs it. No `models` means: ask the vendor. */
export interface CatalogProvider extends OpenAiCompatibleProvider {
  kind: 'openai-compatible';
  models: string[];
}

/** `providers` is asked on every use, so that a change of the settings counts at once. */
export interface CatalogOptions {
  providers: () => Promise<CatalogProvider[]>;
  demo: ModelAdapter;
  /** Models that a program brings itself, by their whole name. */
  plugged?: Record<string, ModelAdapter>;
  now?: () => number;
}

/** The models there are, by name `provider/model`. */
export interface ModelCatalog {
  /** Never fails because of a vendor: one that does not answer has no models for now. */
  list(): Promise<ModelInfo[]>;
  /** Any model of a configured provider, listed or not. Throws CeriseError `model_not_found`. */
  resolve(name: string): Promise<ModelAdapter>;
}

/** A catalog over the demo model and the configured providers, which are read anew each time. */
export function createCatalog(options: CatalogOptions): ModelCatalog {
  const { providers, demo, plugged = {}, now = Date.now } = options;
  const vendorModels = createVendorCache(now);
  const adapters = new Map<string, ModelAdapter>();

  async function list(): Promise<ModelInfo[]> {
    const configured = await providers();
    const lists = await Promise.all(
      configured.map(async (provider) => {
        const models = provider.models.length > 0 ? provider.models : await vendorModels(provider);
        return models.map((model) => toInfo(provider.name, model));
      }),
    );
    const own = Object.keys(plugged).map((name) => toInfo(...splitName(name)));
    return [demoModelInfo, ...own, ...lists.flat()];
  }

  async function resolve(name: string): Promise<ModelAdapter> {
    if (name === demoModelInfo.id) return demo;
    if (plugged[name]) return plugged[name];
    const [vendor, model] = splitName(name);
    const provider = model && (await providers()).find((entry) => entry.name === vendor);
    if (!provider) throw notFound(name, await list());
    return adapterFor(provider, model);
  }

  /** One adapter a model, so that what it learned and compiled is kept between turns. */
  function adapterFor(provider: CatalogProvider, model: string): ModelAdapter {
    const key = JSON.stringify([provider.name, provider.baseUrl, provider.apiKey, model]);
    const adapter = adapters.get(key) ?? openAiCompatible(provider, model);
    adapters.delete(key);
    adapters.set(key, adapter);
    const [oldest] = adapters.keys();
    if (adapters.size > maxAdapters && oldest !== undefined) adapters.delete(oldest);
    return adapter;
  }

  return { list, resolve };
}

/** Asks each vendor once in five minutes; a failure is remembered only briefly. */
function createVendorCache(now: () => number) {
  const cache = new Map<string, { until: number; models: Promise<string[]> }>();
  return (provider: CatalogProvider): Promise<string[]> => {
    const key = JSON.stringify([provider.baseUrl, provider.apiKey]);
    const cached = cache.get(key);
    if (cached && cached.until > now()) return cached.models;
    const entry = { until: now() + freshTime, models: Promise.resolve<string[]>([]) };
    entry.models = listVendorModels(provider, AbortSignal.timeout(freshTime)).catch(() => {
      entry.until = now() + failedTime;
      return [];
    });
    cache.set(key, entry);
    return entry.models;
  };
}

/** The model part may hold slashes itself. */
function splitName(name: string): [provider: string, model: string] {
  const slash = name.indexOf('/');
  return slash < 0 ? [name, ''] : [name.slice(0, slash), name.slice(slash + 1)];
}

function toInfo(provider: string, model: string): ModelInfo {
  return { id: `${provider}/${model}`, name: model, provider, scripted: false };
}

function notFound(name: string, known: ModelInfo[]): CeriseError {
  const near = nearestNames(
    name,
    known.map(({ id }) => id),
  );
  return new CeriseError('model_not_found', `There is no model “${name.slice(0, 300)}”.`, {
    hint: `Models are named provider/model. Near it: ${near.join(', ')}.`,
  });
}
