import { CeriseError, toErrorInfo, type ErrorCode, type ErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { ModelAdapter } from '#shared/vocabulary/model.ts';
import { vendorOf } from '../vendors/vendors.ts';
import { capabilitiesOf } from '../wires/capabilities.ts';
import type { ModelProvider } from './create-adapter.ts';
import { type ListedModel } from './listed-model.ts';
import { listVendorModels } from './model-list.ts';

const testTimeoutMs = 15_000;

/** What came out of a test: a reason a person can act on, if it failed. */
export type ProviderTest =
  | { ok: true; models: number; model?: string }
  | { ok: false; error: ErrorInfo; model?: string };

/** Failures that are the account's or the server's, whatever model was asked. */
const decisive: ReadonlySet<ErrorCode> = new Set([
  'model_unauthorized',
  'model_no_credit',
  'model_rate_limited',
  'model_unreachable',
]);

/**
 * Whether a provider works: lists its models and, where a key is in play, asks one of them for a word,
 * since lists may be public and know nothing of credit. `wanted` is the model to ask. Never throws.
 */
export async function testProvider(
  provider: ModelProvider & { models: string[] },
  signal: AbortSignal,
  wanted?: string,
): Promise<ProviderTest> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(testTimeoutMs)]);
  const listed = await tryToList(provider, either);
  if ('error' in listed && (provider.models.length === 0 || decisive.has(listed.error.code))) {
    return { ok: false, error: listed.error };
  }
  const models = 'error' in listed ? [] : listed.models;
  const count = provider.models.length || models.length;
  const model = wanted ?? (isLocal(provider) ? undefined : cheapest(provider.models, models));
  if (model === undefined) return { ok: true, models: count };
  const told = models.find(({ id }) => id === model)?.told;
  const { createAdapter } = await import('./create-adapter.ts');
  const adapter = createAdapter(provider, model, capabilitiesOf(model, told), { wait: notAtAll });
  const error = await askForAWord(adapter, either);
  const unproven = 'error' in listed || wanted !== undefined;
  const fails = error && (decisive.has(error.code) || unproven);
  return fails ? { ok: false, error, model } : { ok: true, models: count, model };
}

async function tryToList(
  provider: ModelProvider,
  signal: AbortSignal,
): Promise<{ models: ListedModel[] } | { error: ErrorInfo }> {
  try {
    return { models: await listVendorModels(provider, signal) };
  } catch (error) {
    return { error: toErrorInfo(error) };
  }
}

/** Asking a local server would load a model, only to learn what its list says already. */
function isLocal(provider: ModelProvider): boolean {
  return !provider.apiKey && vendorOf(provider).ports !== undefined;
}

/** The first whose name says that it is small; else the first. */
function cheapest(configured: string[], listed: ListedModel[]): string | undefined {
  const ids = configured.length > 0 ? configured : listed.map(({ id }) => id);
  return (
    ids.find((id) => /nano|mini(?!max)|flash|haiku|lite|small|free|\b[1-9]b\b/i.test(id)) ?? ids[0]
  );
}

/** Undefined if the model answered at all. */
async function askForAWord(
  adapter: ModelAdapter,
  signal: AbortSignal,
): Promise<ErrorInfo | undefined> {
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Say OK.' }] }];
  const parameters = { maxOutputTokens: 16 };
  const request = { purpose: 'answer' as const, system: '', messages, tools: [], parameters };
  for await (const batch of adapter.stream(request, signal)) {
    for (const chunk of batch) {
      if (chunk.type === 'error') return signal.aborted ? tooSlow : chunk.error;
      if (chunk.type === 'text-delta' || chunk.type === 'thinking-delta') return undefined;
    }
  }
  return undefined;
}

/** The first answer counts, whether it would pass or not. */
async function notAtAll(): Promise<void> {}

const tooSlow: ErrorInfo = toErrorInfo(
  new CeriseError(
    'model_unreachable',
    say('model-slow')`The model didn't respond within 15 seconds.`,
    {
      hint: say('model-slow-hint')`Try again, or test another model from this provider.`,
    },
  ),
);
