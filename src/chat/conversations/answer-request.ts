import type { Limits } from '#shared/vocabulary/limits.ts';
import type { ToolSelection, Topic } from '#shared/vocabulary/message.ts';
import { type ModelAdapter, resolveParameters } from '#shared/vocabulary/model.ts';
import type { Within } from '#shared/vocabulary/server-limit.ts';
import type { TraceContext } from '#shared/vocabulary/tool.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import { assistantOfTopic } from '#store/configuration/assistants.ts';
import type { Store } from '#store/database/store.ts';
import type { CallOrigins } from '../calls/call-origins.ts';
import type { SendMessage } from '../cluster/command.ts';
import type { Commands } from '../cluster/commands.ts';
import type { ModelChoices } from '../models/model-choices.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import type { LiveTopics } from '../topic/live-topics.ts';
import type { AnswerRequest } from '../turn/run-turn.ts';
import type { Turns } from '../turn/turns.ts';

/** What accepting messages needs of the host. */
export interface MessagesDeps {
  store: Store;
  blobs: Blobs;
  limits: Limits;
  live: LiveTopics;
  turns: Turns;
  commands: Commands;
  origins: Pick<CallOrigins, 'ofQuotes'>;
  /** Throws `model_not_found`. */
  resolveModel(name: string, owner: string): Promise<ModelAdapter>;
  /** Throws `server_not_found` for what is not there for this owner, or not for this key of theirs. */
  checkServers(owner: string, named: readonly string[], within?: Within): Promise<void>;
  /** Throws `quota_exceeded` for somebody who keeps as much as they may. */
  checkRoom(owner: string): Promise<void>;
  choices: Pick<ModelChoices, 'defaultModel' | 'translationModel' | 'parametersFor'>;
  now(): number;
}

/** A message of a key that may be limited to servers, in the trace of its caller. */
export function withLimits(sent: SendMessage, within: Within, caller?: TraceContext): SendMessage {
  const input = caller ? { ...sent, caller } : sent;
  if (!within) return input;
  const { tools } = input;
  return { ...input, tools: { mode: 'none' }, limited: { ...(tools && { tools }), within } };
}

/** Messages of one topic are accepted one after the other, so that each sees the one before. `begins`: see `hold`. */
export async function inTopic<T>(
  deps: MessagesDeps,
  owner: string,
  topicId: string,
  work: (live: LiveTopic) => Promise<T>,
  begins?: Topic,
): Promise<T> {
  deps.turns.checkOpen(topicId);
  return deps.live.use(owner, topicId, (live) => live.serially(() => work(live)), begins);
}

/** The topic's own choice goes before the assistant's, and what was sent before both. */
export async function resolveRequest(
  deps: MessagesDeps,
  live: LiveTopic,
  input: Pick<SendMessage, 'model' | 'tools' | 'limited' | 'caller'>,
): Promise<AnswerRequest> {
  const { topic, owner } = live;
  const assistant = await assistantOfTopic(deps.store.db, owner, topic);
  const model =
    input.model ?? topic.model ?? assistant?.model ?? (await deps.choices.defaultModel(owner));
  await deps.resolveModel(model, owner);
  const { tools: sent, within } = input.limited ?? { ...input, within: undefined };
  const tools = topic.mcp ?? assistant?.mcp ?? { enabled: true, mode: 'auto', selectedServers: [] };
  return {
    model,
    systemPrompt: topic.systemPrompt ?? assistant?.systemPrompt ?? '',
    parameters: resolveParameters({
      ...(await deps.choices.parametersFor(owner, model)),
      ...assistant?.parameters,
      ...topic.parameters,
    }),
    ...limitedTo(sent ? selection(sent, tools) : tools, within),
    ...(input.caller && { caller: input.caller }),
  };
}

/** The tools of a request, limited to what the present visitor may use. */
export function limitedTo(
  { enabled, mode, selectedServers }: ToolSelection,
  within: Within,
): Pick<AnswerRequest, 'tools' | 'limited'> {
  const tools = { enabled, mode, selectedServers };
  if (!within) return { tools, limited: undefined };
  return { tools: { ...tools, enabled: false }, limited: { ...tools, within } };
}

function selection(sent: NonNullable<SendMessage['tools']>, base: ToolSelection): ToolSelection {
  const mode = sent.mode ?? (sent.servers ? 'manual' : base.mode);
  return {
    enabled: mode !== 'none' && (sent.enabled ?? true),
    mode: mode === 'manual' ? 'manual' : 'auto',
    selectedServers: sent.servers ?? base.selectedServers,
  };
}
