import { randomUUIDv7 } from 'node:crypto';
import { CeriseError } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import type { EventBody } from '#shared/vocabulary/event.ts';
import { isMessageOpen, isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { StoredBlob } from '#shared/vocabulary/ports.ts';
import type { Within } from '#shared/vocabulary/server-limit.ts';
import { getMessage, getRequest, insertMessage } from '#store/conversations/messages.ts';
import { updateTopic } from '#store/conversations/topics.ts';
import type { Db, Store } from '#store/database/store.ts';
import type {
  AnswerChanges,
  BodyOf,
  MessageIds,
  SendMessage,
  TranslateMessage,
  Translated,
} from '../cluster/command.ts';
import type { RunCommand } from '../cluster/commands.ts';
import type { Remember } from '../cluster/idempotency.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import { messageNotFound } from '../topic/topic-not-found.ts';
import type { TranslationRequest } from '../turn/run-translation.ts';
import type { AnswerRequest } from '../turn/run-turn.ts';
import { blocksBefore, changedRequest } from './answer-branch.ts';
import { inTopic, limitedTo, type MessagesDeps, resolveRequest } from './answer-request.ts';
import { checkText, firstTitle, newAnswer, userMessage } from './new-messages.ts';
import { translateHere } from './translations.ts';

/** By which model, what else is different, and what the key that asks is limited to. */
interface Regenerate extends AnswerChanges {
  model?: string | undefined;
  within?: Within;
}

/** What people ask of messages. Everything is committed when it resolves, here or on the host that has the topic. */
export class Messages {
  readonly #deps: MessagesDeps;
  readonly #send: RunCommand<'send'>;
  readonly #regenerate: RunCommand<'regenerate'>;
  readonly #regenerateWithin: RunCommand<'regenerate-within'>;
  readonly #regenerateFrom: RunCommand<'regenerate-from'>;
  readonly #stop: RunCommand<'stop'>;
  readonly #translate: RunCommand<'translate'>;

  constructor(deps: MessagesDeps) {
    const { commands, live, turns } = deps;
    this.#deps = deps;
    this.#send = commands.define('send', ({ owner, topicId }, { input, ids }, also) =>
      sendHere(deps, owner, topicId, input, ids, also),
    );
    this.#regenerate = commands.define('regenerate', ({ owner }, body, also) =>
      regenerateHere(deps, owner, body, also),
    );
    this.#regenerateWithin = commands.define('regenerate-within', ({ owner }, body, also) =>
      regenerateHere(deps, owner, body, also),
    );
    this.#regenerateFrom = commands.define('regenerate-from', ({ owner }, body, also) =>
      regenerateHere(deps, owner, body, also),
    );
    this.#stop = commands.define('stop', async ({ owner, topicId }, { answerId }) => {
      await live.use(owner, topicId, () => turns.stop(answerId));
      return null;
    });
    this.#translate = commands.define('translate', ({ owner, topicId }, body, also) =>
      translateHere(deps, owner, topicId, body, also),
    );
  }

  /** Stores the user's message and the answer to come, then starts it. */
  async send(
    owner: string,
    topicId: string,
    input: SendMessage,
    remember?: Remember<MessageIds>,
  ): Promise<MessageIds> {
    const deps = this.#deps;
    const ids = { userMessageId: randomUUIDv7(), answerId: randomUUIDv7() };
    checkText(input, deps.limits);
    await deps.checkRoom(owner);
    const { tools, within } = input.limited ?? { ...input, within: undefined };
    await deps.checkServers(owner, tools?.servers ?? [], within);
    return this.#send({ owner, topicId }, { input, ids }, { early: ids, remember });
  }

  /** Makes another answer to the same question, as a branch beside the first. */
  async regenerate(
    owner: string,
    answerId: string,
    { model, within, ...changes }: Regenerate = {},
    remember?: Remember<{ answerId: string }>,
  ): Promise<{ answerId: string }> {
    const first = await findAnswer(this.#deps.store, owner, answerId);
    const { topicId } = first;
    if (model) await this.#deps.resolveModel(model, owner);
    const ids = { answerId: randomUUIDv7() };
    blocksBefore(first, changes.from ?? 1, ids.answerId);
    const body = { answerId, model: model ?? null, ids };
    const options = { early: ids, remember };
    if (Object.values(changes).some((change) => change !== undefined))
      return this.#regenerateFrom({ owner, topicId }, { ...body, changes, within }, options);
    if (within) return this.#regenerateWithin({ owner, topicId }, { ...body, within }, options);
    return this.#regenerate({ owner, topicId }, body, options);
  }

  /** Stops an answer, or the translation of a message. One that has ended already stays as it is. */
  async stop(owner: string, answerId: string): Promise<void> {
    const { store, turns } = this.#deps;
    const message = await getMessage(store.db, owner, answerId);
    if (!message) throw answerNotFound();
    const { topicId } = message;
    if ((await turns.stop(answerId)) || !isMessageOpen(message)) return;
    await this.#stop({ owner, topicId }, { answerId }, { early: null });
  }

  /** Begins to translate a message; the text comes as a block of it. */
  async translate(
    owner: string,
    messageId: string,
    input: TranslateMessage,
    remember?: Remember<Translated>,
  ): Promise<Translated> {
    const message = await getMessage(this.#deps.store.db, owner, messageId);
    if (!message) throw messageNotFound();
    if (input.model) await this.#deps.resolveModel(input.model, owner);
    const { topicId } = message;
    return this.#translate({ owner, topicId }, { messageId, input }, { remember });
  }
}

async function sendHere(
  deps: MessagesDeps,
  owner: string,
  topicId: string,
  input: SendMessage,
  ids: MessageIds,
  also: Remember<MessageIds>,
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
      also: (tx) => also(tx, ids),
      committed: () => {
        void fault('message-accepted');
        const steers = parentId !== null && runsIn(live, parentId);
        deps.turns.start(live, { answerId: answer.id, request, steers });
      },
    });
    return ids;
  });
}

type RegenerateBody = BodyOf<'regenerate'> &
  Partial<Pick<BodyOf<'regenerate-from'>, 'changes' | 'within'>>;

async function regenerateHere(
  deps: MessagesDeps,
  owner: string,
  { answerId, model, ids, changes = {}, within }: RegenerateBody,
  also: Remember<{ answerId: string }>,
): Promise<{ answerId: string }> {
  const first = await findAnswer(deps.store, owner, answerId);
  const stored = await getRequest(deps.store.db, answerId);
  return inTopic(deps, owner, first.topicId, async (live) => {
    const asked =
      storedRequest(stored) ?? (await requestLike(deps, live, first, model ?? undefined));
    const before = changedRequest(asked, answerId, changes);
    const request = { ...before, ...limitedTo(before.limited ?? before.tools, within) };
    if (model) {
      await deps.resolveModel(model, owner);
      request.model = model;
    }
    const made = { id: ids.answerId, at: nextTime(deps, live) };
    const blocks = blocksBefore(first, changes.from ?? 1, made.id);
    const answer = { ...newAnswer(live.id, first.parentId, made, request.model), blocks };
    await commitMessages(live, [answer], request, {
      also: (tx) => also(tx, ids),
      committed: () => deps.turns.start(live, { answerId: answer.id, request, steers: false }),
    });
    return ids;
  });
}

/** For an answer whose request was not copied with it: its model, where there still is one by that name. */
async function requestLike(
  deps: MessagesDeps,
  live: LiveTopic,
  answer: Message,
  model = answer.model,
): Promise<AnswerRequest> {
  try {
    return await resolveRequest(deps, live, { ...(model && { model }) });
  } catch (error) {
    const isGone = error instanceof CeriseError && error.code === 'model_not_found';
    if (!isGone || model !== answer.model) throw error;
    return resolveRequest(deps, live, {});
  }
}

/** What was asked of an answer, without the translation that may be made of it now and whose trace it was. */
function storedRequest(stored: unknown): AnswerRequest | undefined {
  if (stored === undefined) return undefined;
  const { translation: _, caller: __, ...asked } = stored as AnswerRequest & TranslationRequest;
  return asked;
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

/** The error for an answer that is not there, for this person. */
export function answerNotFound(): CeriseError {
  return new CeriseError('answer_not_found', say('answer-gone')`This answer doesn't exist.`);
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
    say('reply-elsewhere')`The message you're replying to isn't in this chat.`,
  );
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
    also: (tx: Db) => Promise<void>;
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
      const { archived } = live.topic;
      const changed = {
        activeLeafId: last?.id,
        updatedAt: last?.createdAt,
        title,
        ...(archived && { archived: null }),
      };
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
