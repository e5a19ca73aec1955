import type { Client } from '#client/client.ts';
import { newKey } from '#client/http/key.ts';
import { endingOf, failureOf } from '#shared/answer/answer-ending.ts';
import { CeriseError, wordsOf } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isMediaBlock, type ToolBlock } from '#shared/vocabulary/block.ts';
import { activePath, isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import { readAnswer } from '../client/follow-answer.ts';
import { tell } from '../messages/tell.ts';
import { toMessageBody } from './acp-prompt.ts';
import { decisionOf, permissionRequest } from './acp-permission.ts';
import { type AcpContent, acpSchemas, readParams } from './acp-schema.ts';
import { attachServers } from './acp-servers.ts';
import { type AcpUpdate, AcpUpdates, chunk, mediumContent } from './acp-updates.ts';
import type { RpcHandler, RpcLines } from './rpc-lines.ts';

/** The supported version of the protocol. */
const protocolVersion = 1;

/** Sessions in one answer to an editor that lists them. */
const sessionsAtOnce = 50;

/** A session, which is a chat. */
interface Session {
  /** The running answers. */
  running: Set<string>;
  /** The prompts being sent to the host. */
  sending: Set<{ isCancelled: boolean }>;
  /** Notes to show before the next answer. */
  notes: string[];
  /** It was created here and has no messages. */
  isEmpty: boolean;
}

/** Chats of a host for an editor that speaks the Agent Client Protocol. A session is a chat like any other. */
export class AcpAgent {
  readonly #client: Client;
  readonly #rpc: Pick<RpcLines, 'request' | 'notify'>;
  readonly #version: string;
  readonly #sessions = new Map<string, Session>();
  readonly #ended = new AbortController();

  constructor(client: Client, rpc: Pick<RpcLines, 'request' | 'notify'>, version: string) {
    this.#client = client;
    this.#rpc = rpc;
    this.#version = version;
  }

  readonly handlers: Readonly<Record<string, RpcHandler>> = {
    initialize: async () => this.#describe(),
    'session/new': (params) => this.#open(params),
    'session/load': (params) => this.#load(params),
    'session/list': (params) => this.#list(params),
    'session/resume': (params) => this.#resume(params),
    'session/close': (params) => this.#leave(params),
    'session/prompt': (params) => this.#prompt(params),
    'session/cancel': (params) => this.#cancel(params),
    'session/set_config_option': (params) => this.#choose(params),
  };

  /** Stops reading and removes chats that were never used. Answers continue. */
  async close(): Promise<void> {
    this.#ended.abort();
    for (const [id, { isEmpty }] of this.#sessions)
      if (isEmpty) await this.#client.topics.remove(id).catch(() => undefined);
  }

  #describe(): object {
    return {
      protocolVersion,
      agentInfo: { name: 'cerise', title: 'Cerise', version: this.#version },
      agentCapabilities: {
        loadSession: true,
        sessionCapabilities: { list: {}, resume: {}, close: {} },
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
      },
      authMethods: [],
    };
  }

  async #open(params: unknown): Promise<object> {
    const { mcpServers } = readParams(acpSchemas.newSession, params);
    const { id } = await this.#client.topics.create({});
    const session = this.#session(id);
    session.isEmpty = true;
    session.notes = await attachServers(this.#client, id, mcpServers);
    return { sessionId: id, configOptions: await this.#options(id) };
  }

  async #load(params: unknown): Promise<object> {
    const { sessionId, mcpServers } = readParams(acpSchemas.loadSession, params);
    const conversation = await this.#client.topics.whole(sessionId);
    this.#session(sessionId).notes = await attachServers(this.#client, sessionId, mcpServers);
    for (const message of activePath(conversation)) this.#replay(message);
    return { configOptions: await this.#options(sessionId) };
  }

  /** The chats, which have no folder: each belongs to the one that the editor asks about. */
  async #list(params: unknown): Promise<object> {
    const { cwd, cursor } = readParams(acpSchemas.listSessions, params);
    const query = { limit: sessionsAtOnce, ...(cursor && { before: cursor }) };
    const { topics } = await this.#client.topics.list(query);
    const sessions = topics.map(({ id, title, updatedAt }) => ({
      sessionId: id,
      cwd: cwd ?? process.cwd(),
      title,
      updatedAt: new Date(updatedAt).toISOString(),
    }));
    const last = topics.length === sessionsAtOnce ? topics.at(-1)?.id : undefined;
    return { sessions, ...(last !== undefined && { nextCursor: last }) };
  }

  /** Like loading, for an editor that shows by itself what was said. */
  async #resume(params: unknown): Promise<object> {
    const { sessionId, mcpServers } = readParams(acpSchemas.loadSession, params);
    const configOptions = await this.#options(sessionId);
    this.#session(sessionId).notes = await attachServers(this.#client, sessionId, mcpServers);
    return { configOptions };
  }

  async #leave(params: unknown): Promise<object> {
    const { sessionId } = readParams(acpSchemas.closeSession, params);
    await this.#cancel({ sessionId });
    const { isEmpty } = this.#session(sessionId);
    this.#sessions.delete(sessionId);
    if (isEmpty) await this.#client.topics.remove(sessionId);
    return {};
  }

  #replay(message: Message): void {
    const { id, topicId, role, blocks } = message;
    if (role === 'assistant' && isMessageRunning(message)) {
      // The rest of it follows as it comes.
      this.#follow(topicId, id).catch((error: unknown) => this.#note(topicId, error));
    } else if (role === 'assistant') {
      for (const update of new AcpUpdates().next(message)) this.#update(topicId, update);
    } else
      for (const block of blocks) {
        const { type, content: text } = block;
        if (type === 'main_text')
          this.#update(topicId, chunk('user_message_chunk', { type: 'text', text }));
        if (isMediaBlock(block))
          this.#update(topicId, chunk('user_message_chunk', mediumContent(block)));
      }
  }

  async #prompt(params: unknown): Promise<object> {
    const { sessionId, prompt } = readParams(acpSchemas.prompt, params);
    const session = this.#session(sessionId);
    const sending = { isCancelled: false };
    session.sending.add(sending);
    const answerId = await this.#send(sessionId, prompt, sending).finally(() =>
      session.sending.delete(sending),
    );
    if (answerId === undefined) return { stopReason: stopReasons.cancelled };
    session.isEmpty = false;
    for (const note of session.notes.splice(0)) this.#note(sessionId, note);
    const answer = await this.#follow(sessionId, answerId);
    const failure = failureOf(answer);
    if (failure) throw new CeriseError(failure.code, failure.message, failure);
    return { stopReason: stopReasons[endingOf(answer)] };
  }

  /** Sends a prompt; undefined if it was cancelled before. If it was cancelled meanwhile, its answer is stopped. */
  async #send(
    sessionId: string,
    prompt: AcpContent[],
    sending: { isCancelled: boolean },
  ): Promise<string | undefined> {
    const body = await toMessageBody(this.#client, prompt);
    if (sending.isCancelled) return undefined;
    const { answerId } = await this.#client.messages.send(sessionId, body, newKey());
    if (sending.isCancelled) await this.#client.messages.stop(answerId);
    return answerId;
  }

  /** Passes on an answer to its end, and asks about its calls. */
  async #follow(topicId: string, answerId: string): Promise<Message> {
    const { running } = this.#session(topicId);
    const updates = new AcpUpdates();
    const asked = new Set<string>();
    let last: Message | undefined;
    const { signal } = this.#ended;
    running.add(answerId);
    try {
      for await (const answer of readAnswer(this.#client, { topicId, answerId }, { signal })) {
        last = answer;
        for (const update of updates.next(answer)) this.#update(topicId, update);
        for (const block of answer.blocks)
          if (block.type === 'tool' && block.approval && !asked.has(block.toolCallId)) {
            asked.add(block.toolCallId);
            this.#ask(topicId, block).catch((error: unknown) => this.#note(topicId, error));
          }
      }
    } finally {
      running.delete(answerId);
    }
    if (last) return last;
    throw new CeriseError('answer_not_found', say('answer-gone')`This answer doesn't exist.`);
  }

  /** Asks the person at the editor; a call can be decided in Cerise as well. */
  async #ask(sessionId: string, block: ToolBlock): Promise<void> {
    const said = await this.#rpc.request('session/request_permission', {
      sessionId,
      ...permissionRequest(block),
    });
    const option = decisionOf(said);
    if (!option) return;
    const { toolCallId, argsHash = '' } = block;
    try {
      await this.#client.toolCalls.decide(toolCallId, { ...option, argsHash });
    } catch (error) {
      // Someone else decided, or the answer was stopped in the meantime.
      if (!(error instanceof CeriseError) || error.code !== 'already_decided') throw error;
    }
  }

  async #cancel(params: unknown): Promise<object> {
    const { sessionId } = readParams(acpSchemas.cancel, params);
    const { running, sending } = this.#session(sessionId);
    for (const each of sending) each.isCancelled = true;
    for (const answerId of running) await this.#client.messages.stop(answerId);
    return {};
  }

  async #choose(params: unknown): Promise<object> {
    const { sessionId, value } = readParams(acpSchemas.setOption, params);
    await this.#client.topics.update(sessionId, { model: value });
    return { configOptions: await this.#options(sessionId) };
  }

  /** The models that the chat can use. */
  async #options(topicId: string): Promise<object[]> {
    const { topic } = await this.#client.topics.whole(topicId);
    const { models, defaultModel } = await this.#client.settings.models();
    const options = models
      .filter(({ hidden }) => !hidden)
      .map(({ id: value, name }) => ({ value, name }));
    const currentValue = topic.model ?? defaultModel;
    const name = tell(say('cli-acp-model')`Model`);
    return [{ id: 'model', name, category: 'model', type: 'select', currentValue, options }];
  }

  #session(id: string): Session {
    const known = this.#sessions.get(id);
    if (known) return known;
    const session = {
      running: new Set<string>(),
      sending: new Set<{ isCancelled: boolean }>(),
      notes: [],
      isEmpty: false,
    };
    this.#sessions.set(id, session);
    return session;
  }

  #update(sessionId: string, update: AcpUpdate): void {
    this.#rpc.notify('session/update', { sessionId, update });
  }

  /** A line for the person, between the answers. */
  #note(sessionId: string, note: unknown): void {
    const text = `${typeof note === 'string' ? note : tell(wordsOf(note))}\n\n`;
    this.#update(sessionId, chunk('agent_message_chunk', { type: 'text', text }));
  }
}

const stopReasons = {
  stop: 'end_turn',
  'tool-calls': 'end_turn',
  error: 'end_turn',
  length: 'max_tokens',
  'content-filter': 'refusal',
  refusal: 'refusal',
  cancelled: 'cancelled',
} as const satisfies Record<ReturnType<typeof endingOf>, string>;
