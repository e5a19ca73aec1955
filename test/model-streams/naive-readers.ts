import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Usage } from '#shared/vocabulary/usage.ts';
import { addPart, addSource, type Part, type Told } from './told.ts';

/**
 * What a recorded stream tells, read in the plainest way: whole, afterwards, and without anything of
 * the code that is under test. Knows no more of a vendor than its recordings show.
 */
export function readNaively(vendor: string, events: readonly unknown[]): Told {
  const told: Told = { parts: [], sources: [], sealed: [] };
  naiveReaders[vendor]?.(events, told);
  for (const part of told.parts) {
    if (part.type !== 'call') continue;
    const written = (part as { written?: string }).written;
    delete (part as { written?: string }).written;
    if (written) part.arguments = JSON.parse(written) as JsonObject;
  }
  return told;
}

/** The answers in a recording; some hold several, one after the other. */
export function splitAnswers(events: readonly unknown[]): unknown[][] {
  const starts = events.flatMap((event, index) =>
    get(event, 'type') === 'response.created' ? [index] : [],
  );
  if (starts.length === 0) return [[...events]];
  return starts.map((start, n) => events.slice(start, starts[n + 1]));
}

const naiveReaders: Record<string, (events: readonly unknown[], told: Told) => void> = {
  'openai-chat': readChat,
  'openai-responses': readResponses,
  anthropic: readAnthropic,
  google: readGoogle,
};

type Call = Extract<Part, { type: 'call' }> & { written: string };

/** A call whose arguments are still being written; they are parsed when all is read. */
function addCall({ parts }: Told, name: string, written = ''): Call {
  const call: Call = { type: 'call', name, arguments: {}, written };
  parts.push(call);
  return call;
}

function readChat(events: readonly unknown[], told: Told): void {
  const calls: Call[] = [];
  for (const event of events) {
    const delta = get(event, 'choices', 0, 'delta');
    addPart(told.parts, { type: 'thinking', text: words(delta, 'reasoning_content') });
    addPart(told.parts, { type: 'text', text: words(delta, 'content') });
    for (const piece of list(delta, 'tool_calls')) {
      const index = get(piece, 'index') as number;
      calls[index] ??= addCall(told, words(piece, 'function', 'name'));
      calls[index].written += words(piece, 'function', 'arguments');
    }
    const usage = get(event, 'usage');
    if (usage)
      told.usage = {
        inputTokens: count(usage, 'prompt_tokens'),
        outputTokens: count(usage, 'completion_tokens'),
        reasoningTokens: count(usage, 'completion_tokens_details', 'reasoning_tokens'),
        cachedInputTokens: count(usage, 'prompt_tokens_details', 'cached_tokens'),
      };
  }
}

function readResponses(events: readonly unknown[], told: Told): void {
  for (const event of events) {
    const type = get(event, 'type');
    const item = get(event, 'item');
    if (type === 'response.output_text.delta')
      addPart(told.parts, { type: 'text', text: words(event, 'delta') });
    if (type === 'response.reasoning_summary_text.delta')
      addPart(told.parts, { type: 'thinking', text: words(event, 'delta') });
    if (type === 'response.output_item.done') readItem(item, told);
    if (type === 'response.output_text.annotation.added')
      addSource(told.sources, {
        url: words(event, 'annotation', 'url'),
        title: words(event, 'annotation', 'title'),
      });
    if (type === 'response.completed') {
      const usage = get(event, 'response', 'usage');
      told.usage = {
        inputTokens: count(usage, 'input_tokens'),
        outputTokens: count(usage, 'output_tokens'),
        reasoningTokens: count(usage, 'output_tokens_details', 'reasoning_tokens'),
        cachedInputTokens: count(usage, 'input_tokens_details', 'cached_tokens'),
      };
    }
    if (type === 'error') told.error = words(event, 'error', 'code');
  }
}

function readItem(item: unknown, told: Told): void {
  const type = get(item, 'type');
  if (type === 'reasoning' && words(item, 'encrypted_content') !== '')
    told.sealed.push(words(item, 'encrypted_content'));
  if (type === 'function_call') addCall(told, words(item, 'name'), words(item, 'arguments'));
  if (type !== 'web_search_call') return;
  const query = words(item, 'action', 'query');
  const page = words(item, 'action', 'url');
  const pattern = words(item, 'action', 'pattern');
  told.parts.push({
    type: 'search',
    ...(query !== '' && { query }),
    ...(page !== '' && { url: page }),
    ...(pattern !== '' && { pattern }),
  });
  if (page !== '') addSource(told.sources, { url: page });
  for (const source of list(item, 'action', 'sources'))
    addSource(told.sources, { url: words(source, 'url') });
}

function readAnthropic(events: readonly unknown[], told: Told): void {
  const calls = new Map<unknown, Call>();
  const usage: Usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 };
  for (const event of events) {
    const block = get(event, 'content_block');
    const kind = get(block, 'type');
    if (kind === 'tool_use' || kind === 'server_tool_use')
      calls.set(get(event, 'index'), addCall(told, words(block, 'name')));
    if (kind === 'web_search_tool_result')
      for (const result of list(block, 'content'))
        addSource(told.sources, { url: words(result, 'url'), title: words(result, 'title') });
    const delta = get(event, 'delta');
    addPart(told.parts, { type: 'text', text: words(delta, 'text') });
    addPart(told.parts, { type: 'thinking', text: words(delta, 'thinking') });
    if (words(delta, 'signature') !== '') told.sealed.push(words(delta, 'signature'));
    const call = calls.get(get(event, 'index'));
    if (call) call.written += words(delta, 'partial_json');
    const counted = get(event, 'usage') ?? get(event, 'message', 'usage');
    if (!counted) continue;
    const read = count(counted, 'cache_read_input_tokens');
    const written = count(counted, 'cache_creation_input_tokens');
    usage.cachedInputTokens = read;
    if (written > 0) usage.cacheWriteTokens = written;
    usage.inputTokens = count(counted, 'input_tokens') + written + read;
    usage.outputTokens = count(counted, 'output_tokens');
  }
  told.usage = usage;
  told.parts = told.parts.map((part): Part => {
    if (part.type !== 'call' || part.name !== 'web_search') return part;
    return { type: 'search', ...(JSON.parse((part as Call).written) as { query: string }) };
  });
}

function readGoogle(events: readonly unknown[], told: Told): void {
  for (const event of events) {
    for (const part of list(event, 'candidates', 0, 'content', 'parts')) {
      const type = get(part, 'thought') === true ? 'thinking' : 'text';
      addPart(told.parts, { type, text: words(part, 'text') });
      const name = words(part, 'functionCall', 'name');
      if (name !== '') addCall(told, name, JSON.stringify(get(part, 'functionCall', 'args') ?? {}));
      const seal = words(part, 'thoughtSignature');
      if (seal !== '') told.sealed.push(seal);
    }
    const usage = get(event, 'usageMetadata');
    const thoughts = count(usage, 'thoughtsTokenCount');
    told.usage = {
      inputTokens: count(usage, 'promptTokenCount'),
      outputTokens: count(usage, 'candidatesTokenCount') + thoughts,
      reasoningTokens: thoughts,
      cachedInputTokens: count(usage, 'cachedContentTokenCount'),
    };
  }
}

function get(value: unknown, ...path: (string | number)[]): unknown {
  let found = value;
  for (const step of path)
    found = (found as Record<string | number, unknown> | null | undefined)?.[step];
  return found;
}

function words(value: unknown, ...path: (string | number)[]): string {
  const found = get(value, ...path);
  return typeof found === 'string' ? found : '';
}

function count(value: unknown, ...path: string[]): number {
  return (get(value, ...path) as number | undefined) ?? 0;
}

function list(value: unknown, ...path: (string | number)[]): unknown[] {
  return (get(value, ...path) as unknown[] | undefined) ?? [];
}
