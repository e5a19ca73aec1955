import type { ModelCatalog } from '#models/catalog/catalog.ts';
import type { InputView } from '#shared/api/input-api.ts';
import { CeriseError, messageOf } from '#shared/errors/errors.ts';
import { say, type Words } from '#shared/errors/sentence.ts';
import type { FinishReason } from '#shared/vocabulary/chunk.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ModelAdapter, ModelMessage, ModelPart } from '#shared/vocabulary/model.ts';
import type { SamplingAnswer } from '#shared/vocabulary/server-request.ts';

const maxMessages = 200;
const maxTextChars = 256 * 1024;
const maxMedia = 8;
const maxMediumBytes = 5 * 1024 * 1024;
const mostTokens = 100_000;
const maxAnswerChars = 1024 * 1024;

/** What a server wants to ask a model, in our own words and within bounds. */
export interface SamplingRequest {
  system: string;
  messages: (ModelMessage & { role: 'user' | 'assistant' })[];
  maxTokens: number;
  temperature?: number;
  stopSequences: string[];
  /** Parts of model names, the most wanted first. */
  hints: string[];
}

/**
 * Reads the params of `sampling/createMessage`. Throws CeriseError for what is malformed, too large,
 * or beyond what we have declared (tools). `includeContext` means nothing here: no context is added.
 */
export function readSampling(params: JsonObject): SamplingRequest {
  const { systemPrompt, messages, maxTokens, temperature, stopSequences } = params;
  if (params.tools !== undefined || params.toolChoice !== undefined)
    throw refused(say('sampling-tools')`it includes tools, which isn't supported`);
  if (!Array.isArray(messages) || messages.length === 0)
    throw refused(say('sampling-empty')`it has no messages`);
  if (messages.length > maxMessages)
    throw refused(say('sampling-messages')`it has more than ${maxMessages} messages`);
  if (typeof maxTokens !== 'number' || !(maxTokens >= 1))
    throw refused(say('sampling-length')`it doesn't set a maximum length`);
  const request: SamplingRequest = {
    system: typeof systemPrompt === 'string' ? systemPrompt : '',
    messages: messages.map(readMessage),
    maxTokens: Math.min(Math.floor(maxTokens), mostTokens),
    stopSequences: texts(stopSequences).slice(0, 16),
    hints: readHints(params.modelPreferences),
    ...(typeof temperature === 'number' && { temperature: Math.min(2, Math.max(0, temperature)) }),
  };
  assertSize(request);
  return request;
}

/** The request as a person is shown it before anything is sent: texts whole, media described. */
export function describeSampling(
  request: SamplingRequest,
): Extract<InputView, { kind: 'sampling' }>['params'] {
  const { system, messages, maxTokens, temperature, stopSequences } = request;
  return {
    ...(system !== '' && { systemPrompt: system }),
    messages: messages.map(({ role, parts }) => ({ role, content: parts.flatMap(describePart) })),
    maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences.length > 0 && { stopSequences }),
  };
}

/** The first model that one of the hints names, in the order of the hints; else `fallback`. */
export async function chooseModel(
  models: Pick<ModelCatalog, 'list'>,
  { hints }: Pick<SamplingRequest, 'hints'>,
  fallback: string,
): Promise<string> {
  if (hints.length === 0) return fallback;
  const ids = (await models.list()).flatMap(({ id, hidden }) => (hidden ? [] : id));
  for (const hint of hints) {
    const match = ids.find((id) => id.toLowerCase().includes(hint.toLowerCase()));
    if (match !== undefined) return match;
  }
  return fallback;
}

/** Asks a model what the server wants asked. Throws CeriseError where the model fails. */
export async function askModel(
  model: ModelAdapter,
  name: string,
  request: SamplingRequest,
  signal: AbortSignal,
): Promise<SamplingAnswer> {
  const { system, messages, maxTokens, temperature, stopSequences } = request;
  const parameters = {
    maxOutputTokens: maxTokens,
    ...(temperature !== undefined && { temperature }),
  };
  const asked = { purpose: 'answer' as const, system, messages, tools: [], parameters };
  let text = '';
  let stopReason = 'endTurn';
  reading: for await (const batch of model.stream(asked, signal)) {
    for (const chunk of batch) {
      if (chunk.type === 'error') throw new CeriseError(chunk.error.code, messageOf(chunk.error));
      if (chunk.type === 'response-complete') stopReason = stopReasons[chunk.finishReason];
      if (chunk.type !== 'text-delta') continue;
      text += chunk.text;
      const end = stopAt(text, stopSequences);
      if (end !== undefined || text.length > maxAnswerChars) {
        text = text.slice(0, end ?? maxAnswerChars);
        stopReason = end === undefined ? 'maxTokens' : 'stopSequence';
        break reading;
      }
    }
  }
  if (signal.aborted)
    throw new CeriseError('cancelled', say('model-not-needed')`The model is no longer needed.`);
  return { role: 'assistant', content: { type: 'text', text }, model: name, stopReason };
}

const stopReasons: Record<FinishReason, string> = {
  stop: 'endTurn',
  length: 'maxTokens',
  'tool-calls': 'endTurn',
  'content-filter': 'contentFilter',
  refusal: 'endTurn',
  other: 'endTurn',
};

/** Vendors differ in how many they take, or take none: we cut ourselves. */
function stopAt(text: string, stopSequences: string[]): number | undefined {
  const places = stopSequences.map((stop) => text.indexOf(stop)).filter((place) => place >= 0);
  return places.length > 0 ? Math.min(...places) : undefined;
}

function readMessage(message: Json): SamplingRequest['messages'][number] {
  if (!isJsonObject(message))
    throw refused(say('sampling-unreadable')`one of its messages can't be read`);
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant')
    throw refused(say('sampling-role')`one of its messages has an unknown role`);
  return { role, parts: (Array.isArray(content) ? content : [content]).map(readPart) };
}

function readPart(part: Json | undefined): ModelPart {
  if (!isJsonObject(part))
    throw refused(say('sampling-unreadable')`one of its messages can't be read`);
  const { type, text, data, mimeType } = part;
  if (type === 'text' && typeof text === 'string') return { type, text };
  const isMedium = typeof data === 'string' && typeof mimeType === 'string';
  if ((type === 'image' || type === 'audio') && isMedium && mimeType.startsWith(`${type}/`))
    return { type: 'file', mimeType: mimeType.slice(0, 255), data };
  throw refused(
    say(
      'sampling-kind',
    )`it contains content of type ${JSON.stringify(type ?? null).slice(0, 50)}, which isn't supported`,
  );
}

function describePart(
  part: ModelPart,
): Extract<InputView, { kind: 'sampling' }>['params']['messages'][number]['content'] {
  if (part.type === 'text') return [part];
  if (part.type !== 'file') return [];
  const type = part.mimeType.startsWith('audio/') ? 'audio' : 'image';
  return [{ type, mimeType: part.mimeType, size: Math.floor((part.data.length * 3) / 4) }];
}

function readHints(preferences: Json | undefined): string[] {
  if (!isJsonObject(preferences) || !Array.isArray(preferences.hints)) return [];
  const names = preferences.hints.map((hint) => (isJsonObject(hint) ? (hint.name ?? null) : null));
  return texts(names).slice(0, 20);
}

function texts(value: Json | undefined): string[] {
  const list = Array.isArray(value) ? value : [];
  return list.filter((each): each is string => typeof each === 'string' && each !== '');
}

function assertSize({ system, messages, stopSequences }: SamplingRequest): void {
  let text = system.length + stopSequences.join('').length;
  let media = 0;
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === 'text') text += part.text.length;
    if (part.type !== 'file') continue;
    media += 1;
    if (part.data.length * 3 > maxMediumBytes * 4)
      throw refused(say('sampling-media-large')`one of its media files is larger than 5 MiB`);
  }
  if (text > maxTextChars)
    throw refused(say('sampling-text-large')`its text is larger than ${maxTextChars / 1024} KiB`);
  if (media > maxMedia)
    throw refused(say('sampling-media-many')`it has more than ${maxMedia} media files`);
}

function refused(reason: Words): CeriseError {
  return new CeriseError(
    'protocol_error',
    say(
      'sampling-unusable',
    )`The server asked to use a model, but its request isn't valid: ${reason}.`,
  );
}
