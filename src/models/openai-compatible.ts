import type { LanguageModelV4 } from '@ai-sdk/provider';
import { CeriseError } from '#shared/errors.ts';
import type { ModelAdapter } from '#shared/model.ts';
import { fromLanguageModel, type LanguageModelOptions } from './language-model.ts';
import { classifyModelError } from './model-errors.ts';

const listTime = 5_000;
const maxListBytes = 4 * 1024 * 1024;
const maxListed = 1_000;

/** A vendor reached by URL and key, with the key in the clear: never stored or logged like this. */
export interface OpenAiCompatibleProvider {
  name: string;
  baseUrl: string;
  apiKey?: string;
}

/** A model of any server that speaks OpenAI's chat completions. The SDK is loaded on first use. */
export function openAiCompatible(
  provider: OpenAiCompatibleProvider,
  modelId: string,
  options: Pick<LanguageModelOptions, 'wait'> = {},
): ModelAdapter {
  const { name, baseUrl, apiKey } = provider;
  let model: Promise<LanguageModelV4> | undefined;
  async function load(): Promise<LanguageModelV4> {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const settings = { name, baseURL: baseUrl, includeUsage: true, ...(apiKey && { apiKey }) };
    return createOpenAICompatible(settings).chatModel(modelId);
  }
  return fromLanguageModel(() => (model ??= load()), {
    ...options,
    toolMedia: 'after',
    secrets: apiKey ? [apiKey] : [],
  });
}

/** The ids of the models a vendor offers, as it orders them. Throws CeriseError after 5 s at most. */
export async function listVendorModels(
  provider: OpenAiCompatibleProvider,
  signal: AbortSignal,
): Promise<string[]> {
  const { baseUrl, apiKey } = provider;
  const url = `${baseUrl.replace(/\/+$/, '')}/models`;
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(listTime)]),
    });
    const body = await readText(response);
    if (response.ok) return readIds(JSON.parse(body));
    throw toCeriseError({ statusCode: response.status, url, responseBody: body }, apiKey);
  } catch (error) {
    throw toCeriseError(error, apiKey, url);
  }
}

function toCeriseError(error: unknown, apiKey?: string, url?: string): CeriseError {
  if (error instanceof CeriseError) return error;
  const secrets = apiKey ? [apiKey] : [];
  const found = classifyModelError(url === undefined ? error : { url, cause: error }, secrets);
  return new CeriseError(found.code, found.message, { ...found, cause: error });
}

/** Reads no more than a list of models can need; a longer body is not one. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > maxListBytes)
      throw new CeriseError('model_failed', 'The list of models is too long.');
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** OpenAI lists `data[].id`; some servers list `models[].name` or plain strings. */
function readIds(body: unknown): string[] {
  const { data, models } = (body ?? {}) as { data?: unknown; models?: unknown };
  const entries = [data, models, body].find((value) => Array.isArray(value)) ?? [];
  const ids = (entries as unknown[]).map((entry) => {
    if (typeof entry === 'string') return entry;
    const { id, name } = (entry ?? {}) as { id?: unknown; name?: unknown };
    return typeof id === 'string' ? id : name;
  });
  const usable = ids.filter(
    (id): id is string => typeof id === 'string' && id !== '' && id.length <= 300,
  );
  return [...new Set(usable)].slice(0, maxListed);
}
