import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type {
  ModelAdapter,
  ModelCapabilities,
  ModelInfo,
  ModelPrice,
  ToolCheck,
} from '#shared/vocabulary/model.ts';
import { compatibleKind, vendorOf } from '../vendors/vendors.ts';
import { demoModelInfo } from '../demo/model.ts';
import { capabilitiesOf } from '../wires/capabilities.ts';
import type { ModelProvider } from './create-adapter.ts';
import type { ListedModel } from './listed-model.ts';
import { createModelLists } from './model-lists.ts';
import { createToolChecks, type ToolCheckMemory } from './tool-checks.ts';

const maxAdapters = 200;

/** A provider with its key, as the catalog needs it. No `models` means: ask the vendor. */
export interface CatalogProvider extends ModelProvider {
  /** What its models are named by. */
  slug: string;
  models: string[];
  /** Those that are not offered where a model is chosen. */
  hidden?: readonly string[];
  /** What its models cost, by the ids it has for them. */
  prices?: Readonly<Record<string, ModelPrice>>;
  /** It was found on this machine: whether its models call tools is tried out. */
  fromDiscovery?: true;
}

/** `providers` is asked on every use, so that a change of the settings counts at once. */
export interface CatalogOptions extends SharedOptions {
  /** All there are; with a slug, it is enough if the one of that slug is among them. */
  providers: (slug?: string) => Promise<CatalogProvider[]>;
}

/** What the catalogs of all people have in common. */
interface SharedOptions {
  demo: ModelAdapter;
  /** Models that a program brings itself, by their whole name. */
  plugged?: Record<string, ModelAdapter> | undefined;
  /** Where the results of tool checks are kept; absent: in memory. */
  toolChecks?: ToolCheckMemory;
  /** Told of failures nobody waits for. */
  report?: (error: unknown) => void;
  /** Absent: those that ship. */
  limits?: Limits;
  now?: () => number;
}

/** The models there are, by name `provider/model`. */
export interface ModelCatalog {
  /** Never fails because of a vendor: one that does not answer has no models for now. */
  list(): Promise<ModelInfo[]>;
  /** Any model of a configured provider, listed or not. Throws CeriseError `model_not_found`. */
  resolve(name: string): Promise<ModelAdapter>;
  /** Ends what goes on in the background. */
  close(): void;
}

/** The catalogs of several people: each over their own providers, with what was learned shared. */
export interface ModelCatalogs {
  of(owner: string): ModelCatalog;
  /** Asks a vendor for its models again when they are wanted next. */
  refresh(provider: ModelProvider): void;
  /** Ends what goes on in the background. */
  close(): void;
}

/** A catalog over the demo model and the configured providers, which are read again each time. */
export function createCatalog(options: CatalogOptions): ModelCatalog {
  return catalogOver(options.providers, createLearned(options));
}

/** The same for each owner. */
export function createCatalogs(
  options: SharedOptions & {
    providers: (owner: string, slug?: string) => Promise<CatalogProvider[]>;
  },
): ModelCatalogs {
  const learned = createLearned(options);
  return {
    of: (owner) => catalogOver((slug) => options.providers(owner, slug), learned),
    refresh: (provider) => learned.lists.refresh(provider),
    close: () => learned.checks.close(),
  };
}

/** What is asked of vendors once, for all callers. */
function createLearned(options: SharedOptions) {
  const { demo, plugged = {}, now = Date.now } = options;
  const { toolChecks = inMemory(), report = () => undefined } = options;
  const lists = createModelLists(now);
  const checks = createToolChecks(toolChecks, report);
  return { demo, plugged, lists, checks, adapterFor: createAdapterCache(options.limits) };
}

function catalogOver(
  providers: CatalogOptions['providers'],
  learned: ReturnType<typeof createLearned>,
): ModelCatalog {
  const { demo, plugged, lists, checks, adapterFor } = learned;

  async function list(): Promise<ModelInfo[]> {
    const configured = await providers();
    const infos = await Promise.all(configured.map(listMarked));
    const own = Object.entries(plugged).map(([name, { capabilities }]) => {
      const [provider, model] = splitName(name);
      return toInfo(
        { slug: provider, name: provider, kind: '', baseUrl: '' },
        { id: model, told: capabilities ?? {} },
      );
    });
    return [demoModelInfo, ...own, ...infos.flat()];
  }

  async function listMarked(provider: CatalogProvider): Promise<ModelInfo[]> {
    const hidden = new Set(provider.hidden?.map((id) => `${provider.slug}/${id}`));
    const infos = await listProvider(provider);
    return infos.map((info) => (hidden.has(info.id) ? { ...info, hidden: true } : info));
  }

  async function listProvider(provider: CatalogProvider): Promise<ModelInfo[]> {
    const models = await modelsOf(provider);
    if (!provider.fromDiscovery) return models.map((model) => toInfo(provider, model));
    checks.start(
      models.map((model) => ({
        key: checkKey(provider, model.id),
        // Nobody but the model itself shall say here that it cannot call tools.
        adapter: () => connect(provider, model.id, { ...capabilities(model), tools: true }),
      })),
    );
    return Promise.all(models.map((model) => withCheck(provider, model)));
  }

  async function withCheck(provider: CatalogProvider, model: ListedModel): Promise<ModelInfo> {
    const toolCheck = await checks.result(checkKey(provider, model.id));
    return { ...toInfo(provider, afterCheck(model, toolCheck)), toolCheck };
  }

  /** What is configured, with what the vendor says of it where that is known soon. */
  async function modelsOf(provider: CatalogProvider): Promise<ListedModel[]> {
    if (provider.models.length === 0) return lists.all(provider);
    const known = await lists.soon(provider);
    const byId = new Map(known.map((model) => [model.id, model]));
    return provider.models.map((id) => byId.get(id) ?? { id, told: {} });
  }

  async function resolve(name: string): Promise<ModelAdapter> {
    if (name === demoModelInfo.id) return demo;
    if (Object.hasOwn(plugged, name) && plugged[name]) return plugged[name];
    const [slug, id] = splitName(name);
    const provider = id && (await providers(slug)).find((entry) => entry.slug === slug);
    if (!provider) throw notFound(name, await list());
    const listed = (await lists.soon(provider)).find((model) => model.id === id);
    const model = listed ?? { id, told: {} };
    const adapter = await adapterFor(provider, await checked(provider, model));
    const { prices = {} } = provider;
    const price = Object.hasOwn(prices, id) ? prices[id] : model.price;
    return price ? { ...adapter, price } : adapter;
  }

  async function checked(provider: CatalogProvider, model: ListedModel): Promise<ListedModel> {
    if (!provider.fromDiscovery) return model;
    return afterCheck(model, await checks.result(checkKey(provider, model.id)));
  }

  return { list, resolve, close: () => checks.close() };
}

/** The code of the wires is loaded with the first model that is asked, not with the host. */
async function connect(
  provider: CatalogProvider,
  model: string,
  known: ModelCapabilities,
  bounds?: Limits,
): Promise<ModelAdapter> {
  const { createAdapter } = await import('./create-adapter.ts');
  return createAdapter(provider, model, known, bounds && { bounds });
}

/** One adapter a model, so that what it learned and compiled is kept between turns. */
function createAdapterCache(bounds?: Limits) {
  const adapters = new Map<string, ModelAdapter>();
  return async (provider: CatalogProvider, model: ListedModel): Promise<ModelAdapter> => {
    const { name, kind, baseUrl, apiKey, times } = provider;
    const key = JSON.stringify([name, kind, baseUrl, apiKey, times, model.id, model.told]);
    const adapter =
      adapters.get(key) ?? (await connect(provider, model.id, capabilities(model), bounds));
    adapters.delete(key);
    adapters.set(key, adapter);
    const [oldest] = adapters.keys();
    if (adapters.size > maxAdapters && oldest !== undefined) adapters.delete(oldest);
    return adapter;
  };
}

function inMemory(): ToolCheckMemory {
  return { read: async () => ({}), write: async () => undefined };
}

function checkKey({ baseUrl }: CatalogProvider, model: string): string {
  return `${baseUrl} ${model}`;
}

/** What was tried out counts more than what the server says. */
function afterCheck(model: ListedModel, check: ToolCheck): ListedModel {
  if (check === 'unknown') return model;
  return { ...model, told: { ...model.told, tools: check === 'passed' } };
}

function capabilities({ id, told }: ListedModel): ModelCapabilities {
  return capabilitiesOf(id, told);
}

/** The model part may hold slashes itself. */
function splitName(name: string): [provider: string, model: string] {
  const slash = name.indexOf('/');
  return slash < 0 ? [name, ''] : [name.slice(0, slash), name.slice(slash + 1)];
}

type InfoProvider = Pick<CatalogProvider, 'slug' | 'name' | 'kind' | 'baseUrl'>;

function toInfo(provider: InfoProvider, model: ListedModel): ModelInfo {
  const { id, name = id, price, pricedAt = 0 } = model;
  return {
    id: `${provider.slug}/${id}`,
    name,
    provider: provider.slug,
    providerName: provider.name,
    scripted: false,
    capabilities: capabilities(model),
    ...(price && { listPrice: { ...price, source: sourceOf(provider), at: pricedAt } }),
  };
}

/** Who says what a model costs. Never the address: who only uses a provider is not told it. */
function sourceOf({ name, kind, baseUrl }: InfoProvider): string {
  const vendor = vendorOf({ kind, baseUrl });
  return vendor.name === compatibleKind ? name : vendor.label;
}

function notFound(name: string, known: ModelInfo[]): CeriseError {
  const near = nearestNames(
    name,
    known.map(({ id }) => id),
  );
  return new CeriseError(
    'model_not_found',
    say('no-model')`There is no model named “${name.slice(0, 300)}”.`,
    {
      hint: say('no-model-hint')`Models are named provider/model. Similar: ${near.join(', ')}.`,
    },
  );
}
