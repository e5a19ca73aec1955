import { randomUUIDv7 } from 'node:crypto';
import { CeriseError } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import type { EventBody } from '#shared/vocabulary/event.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import {
  type Message,
  type ToolSelection,
  isMessageOpen,
  isMessageRunning,
} from '#shared/vocabulary/message.ts';
import { toldParameters } from '#shared/vocabulary/model.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { StoredBlob } from '#shared/vocabulary/ports.ts';
import type { Within } from '#shared/vocabulary/server-limit.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import { assistantOfTopic } from '#store/configuration/assistants.ts';
import { getMessage, getRequest, insertMessage } from '#store/conversations/messages.ts';
import { updateTopic } from '#store/conversations/topics.ts';
import type { Db, Store } from '#store/database/store.ts';
import type { CallOrigins } from '../calls/call-origins.ts';
import type { Command, MessageIds, SendMessage } from '../cluster/command.ts';
import type { Commands } from '../cluster/commands.ts';
import type { Remember } from '../cluster/idempotency.ts';
import type { ModelChoices } from '../models/model-choices.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import type { LiveTopics } from '../topic/live-topics.ts';
import type { TranslationRequest } from '../turn/run-translation.ts';
import type { AnswerRequest } from '../turn/run-turn.ts';
import type { Turns } from '../turn/turns.ts';
import { checkText, firstTitle, newAnswer, userMessage } from './new-messages.ts';

/** A message of a key that may be limited to servers. */
export function withLimits(input: SendMessage, within: Within): SendMessage {
  if (!within) return input;
  const { tools } = input;
  return { ...input, tools: { mode: 'none' }, limited: { ...(tools && { tools }), within } };
}

export interface MessagesDeps {
  store: Store;
  blobs: Blobs;
  limits: Limits;
  topics: LiveTopics;
  turns: Turns;
  commands: Commands;
  origins: Pick<CallOrigins, 'ofQuotes'>;
  /** Throws `model_not_found`. */
  checkModel(name: string, owner: string): Promise<void>;
  /** Throws `server_not_found` for what is not there for this owner, or not for this key of theirs. */
  checkServers(owner: string, named: readonly string[], within?: Within): Promise<void>;
  /** Throws `quota_exceeded` for somebody who keeps as much as they may. */
  checkRoom(owner: string): Promise<void>;
  choices: Pick<ModelChoices, 'defaultModel' | 'translationModel' | 'parametersFor'>;
  now(): number;
}

/** Stores the user's message and the answer to come, then starts it. Committed when it resolves. */
export async function sendMessage(
  deps: MessagesDeps,
  owner: string,
  topicId: string,
  input: SendMessage,
  remember?: Remember<MessageIds>,
): Promise<MessageIds> {
  const ids = { userMessageId: randomUUIDv7(), answerId: randomUUIDv7() };
  checkText(input, deps.limits);
  await deps.checkRoom(owner);
  const { tools, within } = input.limited ?? { ...input, within: undefined };
  await deps.checkServers(owner, tools?.servers ?? [], within);
  return deps.commands.run(
    { owner, topicId, kind: 'send', body: { input, ids } },
    () => sendHere(deps, owner, topicId, input, ids, remember),
    { early: ids, also: (tx) => remember?.(tx, ids) },
  );
}

async function sendHere(
  deps: MessagesDeps,
  owner: string,
  topicId: string,
  input: SendMessage,
  ids: MessageIds,
  remember?: Remember<MessageIds>,
): Promise<MessageIds> {
  const text = checkText(input, deps.limits);
  return inTopic(deps, owner, topicId, async (live) => {
    const parentId =
      input.parentId === undefined
        ? live.topic.activeLeafId
        : await parent(deps, live, input.parentId);
    const request = await resolveRequest(deps, live, input);
    const at = nextTime(deps, live);
    const origins = await deps.origins.ofQuotes(owner, input.quotes ?? []);
    const attached = await attachFiles(deps, live, input.files ?? [], origins);
    const place = { id: ids.userMessageId, at };
    const user = userMessage(live.id, parentId, place, { text, files: attached, origins });
    const answer = newAnswer(live.id, user.id, { id: ids.answerId, at: at + 1 }, request.model);
    const isFirst = !live.topic.titled && parentId === null;
    const title = isFirst ? firstTitle(text || (attached[0]?.name ?? '')) : undefined;
    await commitMessages(live, [user, answer], request, {
      title,
      also: (tx) => remember?.(tx, ids),
      committed: () => {
        void fault('message-accepted');
        const steers = parentId !== null && runsIn(live, parentId);
        deps.turns.start(live, { answerId: answer.id, request, steers });
      },
    });
    return ids;
  });
}

/** By which model, and what the key that asks is limited to. */
interface Regenerate {
  model?: string | undefined;
  within?: Within;
}

/** Makes another answer to the same question, as a branch beside the first. */
export async function regenerate(
  deps: MessagesDeps,
  owner: string,
  answerId: string,
  asked: Regenerate = {},
  remember?: Remember<{ answerId: string }>,
): Promise<{ answerId: string }> {
  const { model, within } = asked;
  const { topicId } = await findAnswer(deps.store, owner, answerId);
  if (model) await deps.checkModel(model, owner);
  const ids = { answerId: randomUUIDv7() };
  const body = { answerId, model: model ?? null, ids };
  const command: Command<'regenerate' | 'regenerate-within'> = within
    ? { owner, topicId, kind: 'regenerate-within', body: { ...body, within } }
    : { owner, topicId, kind: 'regenerate', body };
  return deps.commands.run(
    command,
    () => regenerateHere(deps, owner, answerId, asked, ids, remember),
    { early: ids, also: (tx) => remember?.(tx, ids) },
  );
}

async function regenerateHere(
  deps: MessagesDeps,
  owner: string,
  answerId: string,
  { model, within }: Regenerate,
  ids: { answerId: string },
  remember?: Remember<{ answerId: string }>,
): Promise<{ answerId: string }> {
  const found = await findAnswer(deps.store, owner, answerId);
  const stored = await getRequest(deps.store.db, answerId);
  return inTopic(deps, owner, found.topicId, async (live) => {
    const before = askedBefore(stored) ?? (await resolveRequest(deps, live, {}));
    const request = { ...before, ...limitedTo(before.limited ?? before.tools, within) };
    if (model) {
      await deps.checkModel(model, owner);
      request.model = model;
    }
    const made = { id: ids.answerId, at: nextTime(deps, live) };
    const answer = newAnswer(live.id, found.parentId, made, request.model);
    await commitMessages(live, [answer], request, {
      also: (tx) => remember?.(tx, ids),
      committed: () => deps.turns.start(live, { answerId: answer.id, request, steers: false }),
    });
    return ids;
  });
}

/** What was asked of an answer, without the translation that may be made of it now. */
function askedBefore(stored: unknown): AnswerRequest | undefined {
  if (stored === undefined) return undefined;
  const { translation: _, ...asked } = stored as AnswerRequest & TranslationRequest;
  return asked;
}

/** Stops an answer, or the translation of a message. One that has ended already stays as it is. */
export async function stopAnswer(
  deps: MessagesDeps,
  owner: string,
  answerId: string,
): Promise<void> {
  const message = await getMessage(deps.store.db, owner, answerId);
  if (!message) throw answerNotFound();
  const { topicId } = message;
  if ((await deps.turns.stop(answerId)) || !isMessageOpen(message)) return;
  await deps.commands.run(
    { owner, topicId, kind: 'stop', body: { answerId } },
    () => stopHere(deps, owner, topicId, answerId),
    { early: null },
  );
}

async function stopHere(
  deps: MessagesDeps,
  owner: string,
  topicId: string,
  answerId: string,
): Promise<null> {
  await deps.topics.use(owner, topicId, () => deps.turns.stop(answerId));
  return null;
}

/** Carries out what other hosts accepted for topics of this one. */
export function receiveMessages(deps: MessagesDeps): void {
  deps.commands.on('send', ({ owner, topicId, body: { input, ids } }, finish) =>
    sendHere(deps, owner, topicId, input, ids, (tx) => finish(tx, ids)),
  );
  for (const kind of ['regenerate', 'regenerate-within'] as const)
    deps.commands.on(kind, ({ owner, body }, finish) => {
      const { answerId, model, ids } = body;
      const asked = {
        model: model ?? undefined,
        within: 'within' in body ? body.within : undefined,
      };
      return regenerateHere(deps, owner, answerId, asked, ids, (tx) => finish(tx, ids));
    });
  deps.commands.on('stop', ({ owner, topicId, body: { answerId } }) =>
    stopHere(deps, owner, topicId, answerId),
  );
}

/** Messages of one topic are accepted one after the other, so that each sees the one before. */
export async function inTopic<T>(
  deps: MessagesDeps,
  owner: string,
  topicId: string,
  work: (live: LiveTopic) => Promise<T>,
): Promise<T> {
  deps.turns.checkOpen(topicId);
  return deps.topics.use(owner, topicId, (live) => live.serially(() => work(live)));
}

/** Messages of a topic are ordered by their time, so each gets one of its own, whatever the clock. */
function nextTime(deps: MessagesDeps, live: LiveTopic): number {
  return Math.max(deps.now(), live.topic.updatedAt + 1);
}

async function findAnswer(store: Store, owner: string, answerId: string): Promise<Message> {
  const message = await getMessage(store.db, owner, answerId);
  if (message?.role === 'assistant') return message;
  throw answerNotFound();
}

function answerNotFound(): CeriseError {
  return new CeriseError('answer_not_found', say('answer-gone')`There is no such answer.`);
}

async function parent(
  deps: MessagesDeps,
  live: LiveTopic,
  id: string | null,
): Promise<string | null> {
  if (id === null) return null;
  const message = await getMessage(deps.store.db, live.owner, id);
  if (message?.topicId === live.id) return id;
  throw new CeriseError(
    'message_not_found',
    say('reply-elsewhere')`The message to reply to is not in this topic.`,
  );
}

/** The topic's own choice goes before the assistant's, and what was sent before both. */
export async function resolveRequest(
  deps: MessagesDeps,
  live: LiveTopic,
  input: Pick<SendMessage, 'model' | 'tools' | 'limited'>,
): Promise<AnswerRequest> {
  const { topic, owner } = live;
  const assistant = await assistantOfTopic(deps.store.db, owner, topic);
  const model =
    input.model ?? topic.model ?? assistant?.model ?? (await deps.choices.defaultModel(owner));
  await deps.checkModel(model, owner);
  const { tools: sent, within } = input.limited ?? { ...input, within: undefined };
  const tools = topic.mcp ?? assistant?.mcp ?? { enabled: true, mode: 'auto', selectedServers: [] };
  return {
    model,
    systemPrompt: topic.systemPrompt ?? assistant?.systemPrompt ?? '',
    parameters: toldParameters({
      ...(await deps.choices.parametersFor(owner, model)),
      ...assistant?.parameters,
      ...topic.parameters,
    }),
    ...limitedTo(sent ? selection(sent, tools) : tools, within),
  };
}

/** The tools of a request: whoever asks now decides what they are limited to. */
function limitedTo(
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

/** The files belong to the topic from here on, whatever becomes of the message. */
async function attachFiles(
  { store, blobs }: MessagesDeps,
  live: LiveTopic,
  files: string[],
  origins: Origin[],
): Promise<StoredBlob[]> {
  if (files.length === 0) return [];
  return store.transaction(async (tx) => {
    const attached: StoredBlob[] = [];
    for (const id of files) attached.push(await blobs.attach(tx, live.owner, id, live.id, origins));
    return attached;
  });
}

async function commitMessages(
  live: LiveTopic,
  messages: Message[],
  request: AnswerRequest,
  {
    title,
    also,
    committed,
  }: {
    title?: string | undefined;
    also: (tx: Db) => Promise<void> | undefined;
    committed: () => void;
  },
): Promise<void> {
  const events: EventBody[] = messages.map((message) => ({
    type: 'message-start',
    messageId: message.id,
    message,
  }));
  if (title) events.push({ type: 'topic-update', patch: { title } });
  const last = messages.at(-1);
  await live.commit({
    events,
    inRows: true,
    rows: async (tx) => {
      for (const message of messages)
        await insertMessage(tx, message, message.role === 'assistant' ? request : undefined);
      const changed = { activeLeafId: last?.id, updatedAt: last?.createdAt, title };
      await updateTopic(tx, live.owner, live.id, changed);
      await also(tx);
    },
    committed,
  });
}

/** Whether a message is, or continues, an answer that still runs. */
function runsIn(live: LiveTopic, messageId: string): boolean {
  const message = live.message(messageId);
  return message !== undefined && isMessageRunning(message);
}
