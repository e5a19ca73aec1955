import { isJsonObject } from '#shared/vocabulary/json.ts';
import type { ModelCapabilities } from '#shared/vocabulary/model.ts';
import type { ListedModel } from './listed-model.ts';
import { fetchJson, serverRoot, type ListSource } from './model-list-fetch.ts';
import { readOpenAi } from './model-list-readers.ts';

/** Models whose details are asked for; Ollama has no list of them. */
const maxShown = 60;
const parallel = 4;

/** Ollama's own list, each model with the capabilities that the server knows of it. */
export async function listOllama(source: ListSource): Promise<ListedModel[]> {
  const root = serverRoot(source.baseUrl);
  const models = readOpenAi(await fetchJson(source, '/api/tags', { root }));
  const waiting = models.slice(0, maxShown).entries();
  const details = new Map<number, ListedModel | undefined>();
  const worker = async () => {
    for (const [index, { id }] of waiting) details.set(index, await show(source, root, id));
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return models.flatMap((model, index) =>
    details.has(index) ? (details.get(index) ?? []) : model,
  );
}

/** Undefined for a model that only embeds; one whose details cannot be had is just named. */
async function show(
  source: ListSource,
  root: string,
  model: string,
): Promise<ListedModel | undefined> {
  try {
    return readDetails(model, await fetchJson(source, '/api/show', { root, body: { model } }));
  } catch {
    // The list is worth showing without this model's details.
    return { id: model, told: {} };
  }
}

/** Pure. Older servers give no capabilities: then nothing is known. */
function readDetails(id: string, body: unknown): ListedModel | undefined {
  if (!isJsonObject(body)) return { id, told: {} };
  const { capabilities, model_info: info, parameters } = body;
  const contextTokens = setContext(parameters) ?? ownContext(info);
  const context = contextTokens === undefined ? {} : { contextTokens };
  if (!Array.isArray(capabilities)) return { id, told: context };
  const can = (name: string) => capabilities.includes(name);
  if (!can('completion') && can('embedding')) return undefined;
  const told: Partial<ModelCapabilities> = {
    tools: can('tools'),
    imagesIn: can('vision'),
    audioIn: can('audio'),
    filesIn: false,
    reasoning: can('thinking'),
    ...context,
  };
  return { id, told };
}

/** LM Studio's own lists say more than the compatible one, which every version has. */
export async function listLmStudio(source: ListSource): Promise<ListedModel[]> {
  const root = serverRoot(source.baseUrl);
  for (const path of ['/api/v1/models', '/api/v0/models']) {
    const models = await fetchJson(source, path, { root }).then(readOpenAi, () => []);
    if (models.length > 0) return models;
  }
  return readOpenAi(await fetchJson(source, '/models'));
}

/** `num_ctx 8192` among the parameters that the model's file sets. */
function setContext(parameters: unknown): number | undefined {
  const found = typeof parameters === 'string' ? /^num_ctx\s+(\d{1,9})$/m.exec(parameters) : null;
  return found ? Number(found[1]) : undefined;
}

/** `llama.context_length`, `qwen3.context_length`, … */
function ownContext(info: unknown): number | undefined {
  const entries = Object.entries(isJsonObject(info) ? info : {});
  const [, value] = entries.find(([key]) => key.endsWith('.context_length')) ?? [];
  return Number.isInteger(value) ? (value as number) : undefined;
}
