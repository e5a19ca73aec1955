import type { CeriseError } from '#shared/errors/errors.ts';
import { type Words, textOf } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { RequestAnswers } from '#shared/vocabulary/server-request.ts';
import type { TelemetryDetail } from '#shared/telemetry/telemetry.ts';
import type { ToolProgress, TraceContext } from '#shared/vocabulary/tool.ts';
import type { CallLimits } from './call-limits.ts';
import type { CallWay } from './call-way.ts';
import type { Channel, Era } from './channel.ts';
import { greet } from './greet.ts';
import { type Greeting, modernVersion, skillsExtension } from './greeting.ts';
import { Listener, missingFromFilter } from './listener.ts';
import type { RequestId } from './messages.ts';
import { RpcPeer } from './peer.ts';
import type { Rounds, Step, Wait } from './round-trip.ts';
import { advance, complete, type Input } from './rounds.ts';
import { RelatedCalls } from './related-calls.ts';
import { answerServer } from './server-requests.ts';
import { type StopSignal, toAbortSignal } from './stop.ts';
import { followTask } from './tasks.ts';
import { watchRequests } from './watch-requests.ts';

const pingTimeoutMs = 5000;
const forever = 2 ** 31 - 1;
const metaPrefix = 'io.modelcontextprotocol';

/** What a server tells us of its own accord. */
export interface ServerNews {
  onListChanged(list: 'tools' | 'prompts' | 'resources'): void;
  onResourceUpdated(uri: string): void;
  onLog(level: string, text: string): void;
  /** The connection ended; not called for a server that was never met. */
  onClose(error?: CeriseError): void;
}

/** How to meet a server. */
export interface ClientOptions {
  channel: Channel;
  clientInfo: { name: string; version: string };
  server: { id: string; name: string };
  /** Absent: the server is told that we answer no questions. */
  answers?: RequestAnswers;
  /** The least severe log messages to hear; absent: none are asked for. */
  logLevel?: string;
  /** What an earlier meeting found out. */
  knownEra?: Era;
  signal: AbortSignal;
  news: ServerNews;
  /** A sentence for the server's log. */
  note: (text: string) => void;
  /** What the server says of a failure, without the secrets that it was sent. */
  redact?: (text: string) => string;
  limits: Pick<Limits, 'initialiseTime'>;
  /** Told each question of the greeting and what came of it. */
  onProbe?: (words: Words) => void;
  /** Told of every request. */
  watch?: Pick<TelemetryDetail, 'requestStarted'> | undefined;
}

/** How one request is made; `callId` names the call it belongs to. */
export interface ClientRequest {
  limits: CallLimits;
  signal?: StopSignal | undefined;
  onProgress?: ((progress: ToolProgress) => void) | undefined;
  callId?: string;
  headers?: Record<string, string> | undefined;
  /** W3C trace context that goes with the request. */
  trace?: TraceContext | undefined;
  /** What else goes into its `_meta`. */
  meta?: JsonObject | undefined;
  repeatable?: boolean;
  /** Told how far a tool call comes. */
  way?: CallWay | undefined;
}

/** One server, met: requests of either era, its questions answered, its news passed on. */
export class McpClient {
  readonly #options: ClientOptions;
  readonly #peer: RpcPeer;
  readonly #meta: JsonObject;
  /** The `_meta` of every request, once a modern server was met. */
  #base: JsonObject | undefined;
  readonly #calls = new RelatedCalls();
  readonly #subscriptions = new Map<number, JsonObject>();
  #listener: Listener | undefined;
  #greeting: Greeting | undefined;

  private constructor(options: ClientOptions) {
    this.#options = options;
    this.#meta = {
      [`${metaPrefix}/protocolVersion`]: modernVersion,
      [`${metaPrefix}/clientInfo`]: { ...options.clientInfo },
      [`${metaPrefix}/clientCapabilities`]: this.#capabilities(),
    };
    this.#peer = new RpcPeer(options.channel, {
      onRequest: (method, params, signal, about) => this.#asked(method, params, signal, about),
      onNotification: (method, params) => this.#notified(method, params),
      note: options.note,
      ...(options.redact && { redact: options.redact }),
      ...(options.watch && { watch: watchRequests(options, options.watch, () => this.#greeting) }),
      onClose: (error) => {
        this.#listener?.close();
        if (this.#greeting) options.news.onClose(error);
      },
    });
  }

  /** Opens the channel and greets the server. Throws RpcError or CeriseError; the channel is closed then. */
  static async open(options: ClientOptions): Promise<McpClient> {
    const client = new McpClient(options);
    try {
      await client.#meet();
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  get greeting(): Greeting {
    if (this.#greeting) return this.#greeting;
    throw new Error('The server was not met yet.');
  }

  get processId(): string | undefined {
    return this.#options.channel.processId;
  }

  /** Answers that came after we had given up on them. */
  get lateAnswers(): number {
    return this.#peer.lateAnswers;
  }

  /** Whether the server has declared a capability. */
  has(capability: string): boolean {
    return isJsonObject(this.greeting.capabilities[capability]);
  }

  /** Whether calls may be made as tasks of 2025-11-25; newer servers decide that themselves. */
  get makesTasks(): boolean {
    const { agreement, capabilities } = this.greeting;
    if (agreement.era !== 'legacy') return false;
    let declared: unknown = capabilities;
    for (const name of ['tasks', 'requests', 'tools', 'call'])
      declared = isJsonObject(declared) ? declared[name] : undefined;
    return isJsonObject(declared);
  }

  /** Whether the server has declared an extension of the protocol. */
  hasExtension(name: string): boolean {
    const { extensions } = this.greeting.capabilities;
    return isJsonObject(extensions) && isJsonObject(extensions[name]);
  }

  /** Sends a request and sees it through all its rounds. */
  async request(method: string, params: JsonObject, options: ClientRequest): Promise<JsonObject> {
    return complete(method, params, this.#rounds(options));
  }

  /** Sends a tool call, or its next round: the caller handles what it waits for. */
  async callTool(params: JsonObject, options: ClientRequest, input?: Input): Promise<Step> {
    this.#calls.begin(options);
    try {
      return await advance('tools/call', params, this.#rounds(options), input);
    } finally {
      this.#calls.end(options);
    }
  }

  /** Waits for a task of a tool call. `task` is its state, where that is known. */
  async followTask(
    wait: Extract<Wait, { kind: 'task' }>,
    options: ClientRequest,
    task?: JsonObject,
  ): Promise<JsonObject> {
    this.#calls.begin(options);
    try {
      return await followTask(wait, this.#rounds(options), task);
    } finally {
      this.#calls.end(options);
    }
  }

  #rounds(options: ClientRequest): Rounds {
    const { callId, signal } = options;
    return {
      send: (name, sent, last) => this.#send(name, sent, options, last),
      answer: (name, asked, question) =>
        this.#answer(name, asked, toAbortSignal(signal ?? neverAborted), callId, question),
      limits: options.limits,
      legacy: this.greeting.agreement.era === 'legacy',
      signal,
      onStatus: (message) => options.onProgress?.({ progress: 0, message }),
    };
  }

  /** Throws unless the server answers. */
  async ping(): Promise<void> {
    const modern = this.greeting.agreement.era === 'modern';
    const options = { limits: { total: pingTimeoutMs }, repeatable: true };
    await this.#send(modern ? 'server/discover' : 'ping', {}, options);
  }

  /** Starts or ends hearing of changes of one resource. */
  async subscribe(uri: string, wanted: boolean): Promise<void> {
    if (this.#listener) return this.#listener.setResource(uri, wanted);
    const method = wanted ? 'resources/subscribe' : 'resources/unsubscribe';
    const options = { limits: { total: this.#options.limits.initialiseTime }, repeatable: true };
    await this.#send(method, { uri }, options);
  }

  /** Ends the connection. Never throws. */
  async close(): Promise<void> {
    this.#listener?.close();
    await this.#peer.close();
  }

  async #meet(): Promise<void> {
    const { channel, clientInfo, signal, note, onProbe, knownEra, limits } = this.#options;
    signal.throwIfAborted();
    const giveUp = (): void => void this.#peer.close();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await this.#peer.open();
      const introduction = {
        clientInfo: { ...clientInfo },
        capabilities: this.#capabilities(),
        meta: this.#meta,
      };
      const greeter = {
        peer: this.#peer,
        channel,
        introduction,
        signal,
        initialiseTime: limits.initialiseTime,
        note: onProbe ?? ((words: Words) => note(textOf(words))),
      };
      this.#greeting = await greet(greeter, knownEra);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
    if (this.#greeting.agreement.era === 'legacy') return this.#setLogLevel();
    this.#base = { ...this.#meta, ...this.#logLevelMeta() };
    this.#listen();
  }

  #capabilities(): JsonObject {
    const extensions = { [`${metaPrefix}/tasks`]: {}, [skillsExtension]: {} };
    if (!this.#options.answers) return { extensions };
    return { roots: {}, sampling: {}, elicitation: { form: {}, url: {} }, extensions };
  }

  #send(
    method: string,
    params: JsonObject,
    options: ClientRequest,
    last = false,
  ): Promise<unknown> {
    const { trace, meta: more } = options;
    const meta = trace || more ? { ...this.#base, ...trace, ...more } : this.#base;
    const sent = meta ? { ...params, _meta: meta } : params;
    const isCall = method === 'tools/call';
    const request = () =>
      this.#peer.request(method, sent, {
        limits: options.limits,
        signal: last ? undefined : options.signal,
        onProgress: options.onProgress,
        headers: isCall ? options.headers : undefined,
        repeatable: options.repeatable || method === 'tasks/get',
        onId: (id) => this.#calls.sent(options, id),
      });
    return isCall && options.way ? options.way.send(request) : request();
  }

  #answer(
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    callId: string | undefined,
    question?: string,
  ): Promise<JsonObject> {
    const { server, answers } = this.#options;
    return answerServer(method, params, answers, {
      serverId: server.id,
      serverName: server.name,
      ...(callId && { callId }),
      ...(callId && question !== undefined && { question }),
      signal,
    });
  }

  /** A modern server asks in its results only; an answer to anything else is not wanted. */
  async #asked(
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    about: RequestId | undefined,
  ): Promise<JsonObject | undefined> {
    if (this.#greeting?.agreement.era !== 'modern')
      return this.#answer(method, params, signal, this.#calls.callIdOf(about));
    this.#options.note(`ignored a request from the server: ${truncate(method, 100)}`);
    return undefined;
  }

  #notified(method: string, params: JsonObject): void {
    const { news, note } = this.#options;
    const list = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method)?.[1];
    if (list) news.onListChanged(list as 'tools' | 'prompts' | 'resources');
    else if (method === 'notifications/resources/updated') {
      if (typeof params.uri === 'string') news.onResourceUpdated(params.uri);
    } else if (method === 'notifications/message') {
      const { level, data } = params;
      news.onLog(
        typeof level === 'string' ? level : 'info',
        typeof data === 'string' ? data : JSON.stringify(data ?? null),
      );
    } else if (method === 'notifications/subscriptions/acknowledged') {
      const meta = isJsonObject(params._meta) ? params._meta : {};
      const asked = this.#subscriptions.get(Number(meta[`${metaPrefix}/subscriptionId`]));
      const missing = asked ? missingFromFilter(asked, params.notifications) : [];
      if (missing.length > 0)
        note(`the server won't send notifications for: ${missing.join(', ')}`);
    }
  }

  #listen(): void {
    const { news, note } = this.#options;
    const { capabilities } = this.greeting;
    const lists: JsonObject = {};
    for (const list of ['tools', 'prompts', 'resources'] as const) {
      const declared = capabilities[list];
      if (isJsonObject(declared) && declared.listChanged === true)
        lists[`${list}ListChanged`] = true;
    }
    this.#listener = new Listener(lists, {
      listen: (filter, signal) => this.#openSubscription(filter, signal),
      onReopened: () => {
        for (const list of ['tools', 'prompts', 'resources'] as const)
          if (lists[`${list}ListChanged`]) news.onListChanged(list);
      },
      note,
    });
  }

  async #openSubscription(notifications: JsonObject, signal: AbortSignal): Promise<unknown> {
    let id = 0;
    try {
      const params = { notifications, _meta: this.#meta };
      return await this.#peer.request('subscriptions/listen', params, {
        limits: { total: forever },
        signal,
        subscription: true,
        repeatable: true,
        onId: (given) => {
          id = given;
          this.#subscriptions.set(id, notifications);
        },
      });
    } finally {
      this.#subscriptions.delete(id);
    }
  }

  /** Servers that do not take the level send what they like; the ring bounds it. */
  #setLogLevel(): void {
    const { logLevel, note } = this.#options;
    if (!logLevel || !this.has('logging')) return;
    const options = { limits: { total: pingTimeoutMs } };
    this.#send('logging/setLevel', { level: logLevel }, options).catch((error: unknown) =>
      note(`could not set the log level: ${String(error)}`),
    );
  }

  #logLevelMeta(): JsonObject {
    const { logLevel } = this.#options;
    return logLevel && this.has('logging') ? { [`${metaPrefix}/logLevel`]: logLevel } : {};
  }
}

const neverAborted = new AbortController().signal;
