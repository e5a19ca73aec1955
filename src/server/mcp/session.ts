import { randomUUID } from 'node:crypto';
import type { CallAsker, CallQuestion } from '#chat/calls/asker.ts';
import type { DoorNews } from '#chat/doors/door-deps.ts';
import { sseFrame } from '#shared/text/sse-frame.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ResponseViewer } from '../http/event-stream.ts';
import { canAnswer, isLoud, type McpClient } from './client.ts';
import type { McpContext } from './context.ts';
import { presentQuestion } from './exchange.ts';
import { maxResumableChars, Reply } from './reply.ts';
import { type Incoming, notificationOf, type RpcId } from './rpc.ts';

/** Replies that are kept for readers that come back. */
const maxReplies = 20;
const maxSubscriptions = 100;

type Answer = Extract<Incoming, { kind: 'response' }>;

/** A program of an older revision, from its handshake on. It lives on one host; losing it costs a new handshake. */
export class Session {
  readonly id = randomUUID();
  readonly client: McpClient;
  /** The context of the newest request. */
  context: McpContext;
  logLevel: string | undefined;
  usedAt: number;
  /** Requests that run, by the ids of the program, so that it can cancel them. */
  readonly running = new Map<RpcId, AbortController>();
  readonly #path: string;
  readonly #asked = new Map<RpcId, (answer: Answer) => void>();
  readonly #replies = new Map<number, Reply>();
  readonly #subscriptions = new Map<string, () => Promise<void>>();
  readonly #unlisten: () => void;
  #channel: ResponseViewer | undefined;
  #lastNumber = 0;
  #lastAsked = 0;

  constructor(context: McpContext, client: McpClient, path: string) {
    this.context = context;
    this.client = client;
    this.usedAt = Date.now();
    this.#path = path;
    const { host, door } = context;
    this.#unlisten = host.doors.listen(door, (news) => this.#tell(news));
  }

  /** Nothing is open in it. */
  get isIdle(): boolean {
    return this.running.size === 0 && this.#channel === undefined;
  }

  /** Whether a request has the credential and address of the session. */
  isOf({ door, isSearched }: McpContext, path: string): boolean {
    const { visitor } = this.context.door;
    return (
      door.visitor.owner === visitor.owner &&
      door.visitor.credential.id === visitor.credential.id &&
      path === this.#path &&
      isSearched === this.context.isSearched
    );
  }

  /** A reply to one request; its events can be read again. */
  reply(accept: string | undefined): Reply {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const primes = this.client.version >= '2025-11-25';
    const { limits } = this.context.host;
    const reply = new Reply({ limits, accept, resumable: { number, primes } });
    this.#replies.set(number, reply);
    let keptChars = this.#replies.values().reduce((sum, each) => sum + each.keptChars, 0);
    for (const [each, old] of this.#replies) {
      if (this.#replies.size <= maxReplies && keptChars <= maxResumableChars) break;
      if (!old.isOver) continue;
      this.#replies.delete(each);
      keptChars -= old.keptChars;
    }
    return reply;
  }

  /** A reply has ended: drops it if it cannot be read again. */
  ended(reply: Reply): void {
    for (const [number, each] of this.#replies)
      if (each === reply && !reply.isKept) this.#replies.delete(number);
  }

  /** The rest of an interrupted stream; undefined if it is no longer kept. */
  resume(lastEventId: string): Promise<Response> | undefined {
    const [, number, seq] = /^(\d{1,9})_(\d{1,9})$/.exec(lastEventId) ?? [];
    return this.#replies.get(Number(number))?.resume(Number(seq));
  }

  /** Opens the stream for messages that belong to no request. False if there is one. */
  open(viewer: ResponseViewer): boolean {
    if (this.#channel) return false;
    this.#channel = viewer;
    return true;
  }

  leave(viewer: ResponseViewer): void {
    if (this.#channel === viewer) this.#channel = undefined;
  }

  /** Passes on to the program what servers ask during a request. */
  asker(reply: Reply): CallAsker {
    const isAlone = this.context.door.serverId !== undefined;
    return {
      can: (method, params) => reply.canStream && canAnswer(this.client, method, params),
      coming: () => (question) => {
        if (question) this.#ask(reply, question, isAlone);
      },
    };
  }

  receive(answer: Answer): void {
    this.#asked.get(answer.id)?.(answer);
  }

  /** Calls back on the session's stream when a resource changes. False if there are too many. */
  async subscribe(uri: string): Promise<boolean> {
    if (this.#subscriptions.has(uri)) return true;
    if (this.#subscriptions.size >= maxSubscriptions) return false;
    const onChange = () => this.say(notificationOf('notifications/resources/updated', { uri }));
    const subscribing = this.context.door.subscribe(uri, onChange);
    // Taken at once, so that a second request for it finds it, and the end of the session ends it.
    const off = async () => (await subscribing)();
    this.#subscriptions.set(uri, off);
    try {
      await subscribing;
    } catch (error) {
      if (this.#subscriptions.get(uri) === off) this.#subscriptions.delete(uri);
      throw error;
    }
    return true;
  }

  async unsubscribe(uri: string): Promise<void> {
    const off = this.#subscriptions.get(uri);
    this.#subscriptions.delete(uri);
    await off?.();
  }

  /** Sends a message that belongs to no request: on its own stream, or on that of a running request. */
  say(message: JsonObject): void {
    if (this.#channel) return this.#channel.send(sseFrame(message, 'message'), true);
    const open = [...this.#replies.values()].findLast((reply) => !reply.isOver);
    open?.say(message);
  }

  /** Ends everything; running calls are cancelled, unless the host drains. */
  end(isDraining = false): void {
    this.#unlisten();
    if (!isDraining) for (const controller of this.running.values()) controller.abort();
    for (const off of this.#subscriptions.values()) void off().catch(() => undefined);
    this.#subscriptions.clear();
    this.#channel?.end();
  }

  #tell(news: DoorNews): void {
    if (news.kind === 'list')
      return this.say(notificationOf(`notifications/${news.list}/list_changed`, {}));
    const { level, text, serverName } = news;
    if (isLoud(level, this.logLevel))
      this.say(notificationOf('notifications/message', { level, logger: serverName, data: text }));
  }

  #ask(reply: Reply, question: CallQuestion, isAlone: boolean): void {
    this.#lastAsked += 1;
    const id = `cerise-${this.#lastAsked}`;
    const { method, params } = presentQuestion(question, isAlone);
    const isUrl = params.mode === 'url' && params.elicitationId === undefined;
    const sent = isUrl ? { ...params, elicitationId: randomUUID() } : params;
    this.#asked.set(id, (answer) => void this.#answered(id, question, answer));
    question.over.addEventListener(
      'abort',
      () => {
        if (!this.#asked.delete(id)) return;
        reply.say(notificationOf('notifications/cancelled', { requestId: id }));
      },
      { once: true },
    );
    reply.say({ jsonrpc: '2.0', id, method, params: sent });
  }

  /** An invalid answer counts as refused: an old program is not asked again. */
  async #answered(id: string, question: CallQuestion, { result }: Answer): Promise<void> {
    this.#asked.delete(id);
    await (result ? question.answer(result) : question.refuse()).catch(() =>
      question.refuse().catch(() => undefined),
    );
  }
}
