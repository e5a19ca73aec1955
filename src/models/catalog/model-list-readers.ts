import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ModelCapabilities, ModelPrice } from '#shared/vocabulary/model.ts';
import type { ListedModel } from './listed-model.ts';

/** One page of a list. */
export interface ListPage {
  models: ListedModel[];
  /** The cursor of the next page. */
  next?: string;
}

type ListedFacts = Partial<ModelCapabilities>;

/**
 * OpenAI lists `data[].id`; some list `models[]` or plain strings. What vendors add to an entry is
 * read by its name, from any vendor: OpenRouter, Mistral, Groq, Together, vLLM, Moonshot and others.
 */
export function readOpenAi(body: unknown): ListedModel[] {
  return entriesOf(body).flatMap((entry) => {
    if (typeof entry === 'string') return [{ id: entry, told: {} }];
    if (!isJsonObject(entry)) return [];
    const id = text(entry, 'id', 'key', 'name', 'model');
    if (id === undefined || !speaks(entry)) return [];
    const name = text(entry, 'display_name', 'name');
    const price = readPrice(object(entry['pricing']));
    return [
      {
        id,
        ...(name && name !== id && { name }),
        told: readListedFacts(entry),
        ...(price && { price }),
      },
    ];
  });
}

/** `GET /v1/models` of Anthropic; capabilities are given by newer versions of the API. */
export function readAnthropic(body: unknown): ListPage {
  const models = entriesOf(body).flatMap((entry) => {
    const id = isJsonObject(entry) ? text(entry, 'id') : undefined;
    if (id === undefined || !isJsonObject(entry)) return [];
    const name = text(entry, 'display_name');
    const can = object(entry['capabilities']);
    const supported = (key: string) => flag(object(can[key]), 'supported');
    const told = defined({
      imagesIn: supported('image_input'),
      filesIn: supported('pdf_input'),
      reasoning: supported('thinking'),
      contextTokens: count(entry, 'max_input_tokens'),
      outputTokens: count(entry, 'max_tokens'),
    });
    return [{ id, ...(name && { name }), told }];
  });
  const { has_more: hasMore, last_id: last } = object(body);
  return { models, ...(hasMore === true && typeof last === 'string' && { next: last }) };
}

/** `GET /v1beta/models` of Google: only what can generate content. */
export function readGoogle(body: unknown): ListPage {
  const models = entriesOf(body).flatMap((entry) => {
    const id = isJsonObject(entry) ? text(entry, 'name')?.replace(/^models\//, '') : undefined;
    if (!id || !isJsonObject(entry)) return [];
    const methods = words(entry['supportedGenerationMethods']);
    if (!methods.has('generateContent')) return [];
    const name = text(entry, 'displayName');
    const told = defined({
      reasoning: flag(entry, 'thinking'),
      contextTokens: count(entry, 'inputTokenLimit'),
      outputTokens: count(entry, 'outputTokenLimit'),
    });
    return [{ id, ...(name && { name }), told }];
  });
  const next = text(object(body), 'nextPageToken');
  return { models, ...(next && { next }) };
}

/** Everything an entry of an OpenAI-shaped list says about what the model can do. */
function readListedFacts(entry: JsonObject): ListedFacts {
  const can = object(entry['capabilities']);
  const architecture = object(entry['architecture']);
  const parameters = words(entry['supported_parameters']);
  const tags = new Set([...words(entry['capabilities']), ...words(entry['tags'])]);
  const takes = words(architecture['input_modalities']);
  const gives = words(architecture['output_modalities']);
  const has = (set: Set<string>, ...names: string[]) =>
    set.size === 0 ? undefined : names.some((name) => set.has(name));
  const tagged = (...names: string[]) => (has(tags, ...names) ? true : undefined);
  return defined({
    tools:
      has(parameters, 'tools') ??
      flag(entry, 'supports_tools') ??
      flag(can, 'function_calling', 'trained_for_tool_use') ??
      tagged('tool_use', 'tool-use', 'tools'),
    imagesIn:
      has(takes, 'image') ??
      flag(entry, 'supports_image_input', 'supports_image_in') ??
      flag(can, 'vision') ??
      (entry['type'] === 'vlm' || undefined) ??
      tagged('vision', 'multimodal'),
    audioIn: has(takes, 'audio') ?? flag(can, 'audio'),
    filesIn: has(takes, 'file'),
    imagesOut: has(gives, 'image'),
    reasoning:
      has(parameters, 'reasoning', 'reasoning_effort', 'include_reasoning') ??
      flag(entry, 'supports_reasoning') ??
      flag(can, 'reasoning') ??
      tagged('reasoning'),
    contextTokens: readContext(entry),
    outputTokens:
      count(object(entry['top_provider']), 'max_completion_tokens') ??
      count(entry, 'max_completion_tokens', 'max_output_tokens'),
  });
}

/** OpenRouter's way, which others follow: dollars for one token, as text. Other ways mean other amounts. */
function readPrice(pricing: JsonObject): ModelPrice | undefined {
  const perMillion = (key: string) => {
    const value = pricing[key];
    if (typeof value !== 'string' || !/^\d+(\.\d+)?(e-\d+)?$/i.test(value)) return undefined;
    return Number((Number(value) * 1_000_000).toPrecision(12));
  };
  const [input, output] = [perMillion('prompt'), perMillion('completion')];
  if (input === undefined || output === undefined) return undefined;
  const cachedInput = perMillion('input_cache_read');
  const cacheWrite = perMillion('input_cache_write');
  return {
    input,
    output,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

/** A loaded model may have been given less room than it could have. */
function readContext(entry: JsonObject): number | undefined {
  const loaded = entry['loaded_instances'];
  const instance = Array.isArray(loaded) ? object(loaded[0]) : {};
  return (
    count(object(instance['config']), 'context_length') ??
    count(entry, 'loaded_context_length', 'context_length', 'context_window') ??
    count(entry, 'max_model_len', 'max_context_length') ??
    count(object(entry['meta']), 'n_ctx', 'n_ctx_train') ??
    count(object(entry['metadata']), 'context_length')
  );
}

/** False for entries that say themselves that they are no chat models, or not there. */
function speaks(entry: JsonObject): boolean {
  const { type, active } = entry;
  if (active === false || flag(entry, 'supports_chat') === false) return false;
  if (flag(object(entry['capabilities']), 'completion_chat') === false) return false;
  return (
    typeof type !== 'string' ||
    !/^(embeddings?|image|audio|video|rerank|moderation|transcribe|speech|tts|stt)$/i.test(type)
  );
}

function entriesOf(body: unknown): unknown[] {
  const { data, models } = object(body);
  return [data, models, body].find((value) => Array.isArray(value)) ?? [];
}

function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function text(from: JsonObject, ...keys: string[]): string | undefined {
  const found = keys.map((key) => from[key]).find((value) => typeof value === 'string' && value);
  return typeof found === 'string' ? found : undefined;
}

function flag(from: JsonObject, ...keys: string[]): boolean | undefined {
  const found = keys.map((key) => from[key]).find((value) => typeof value === 'boolean');
  return typeof found === 'boolean' ? found : undefined;
}

function count(from: JsonObject, ...keys: string[]): number | undefined {
  const found = keys.map((key) => from[key]).find((value) => Number.isInteger(value));
  return typeof found === 'number' && found > 0 ? found : undefined;
}

function words(value: unknown): Set<string> {
  return new Set(Array.isArray(value) ? value.filter((word) => typeof word === 'string') : []);
}

function defined(told: { [Key in keyof ListedFacts]: ListedFacts[Key] | undefined }): ListedFacts {
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}
