import { listSecrets } from '#shared/api/server-secrets.ts';
import { CeriseError, hintOf, messageOf } from '#shared/errors/errors.ts';
import {
  changeWords,
  joinWords,
  sentenceRef,
  say,
  textOf,
  toWords,
  type Words,
} from '#shared/errors/sentence.ts';
import { CallError } from '#shared/vocabulary/call-error.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import type { RequestAnswers } from '#shared/vocabulary/server-request.ts';
import type { ServerFix, ServerRecord } from '#shared/vocabulary/server.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { type ToolCallRequest } from '../calls/call-request.ts';
import { callTool } from '../calls/call-tool.ts';
import { Catalog } from '../connection/catalog.ts';
import type { Connection } from '../connection/connection.ts';
import { launchHash } from '../connection/launch-hash.ts';
import { explainLoss, type OpenDeps, openConnection } from '../connection/open-connection.ts';
import { LogRing } from '../process/log-ring.ts';
import { HealthCheck, isGone } from './health-check.ts';
import { RestartPolicy } from './restart-policy.ts';
import { ServerCalls } from './server-calls.ts';
import { holdError, isHeld, restingState } from './server-hold.ts';
import {
  describeTools,
  type Diagnosis,
  type Examination,
  type ServerStatus,
  StatusBoard,
} from './server-status.ts';

/** What a managed server needs from the service. */
export interface ManagedServerDeps extends Omit<OpenDeps, 'log'> {
  logger: Logger;
  answers?: RequestAnswers;
  onStatus: (serverId: string, status: ServerStatus) => void;
  onNews?: (serverId: string, news: ServerNotice) => void;
}

/** What a server tells of its own accord; the words of a log without secrets. */
export type ServerNotice =
  | { kind: 'list'; list: 'tools' | 'prompts' | 'resources' }
  | { kind: 'log'; level: string; text: string };

interface Attempt {
  controller: AbortController;
  promise: Promise<Connection>;
}

/** One configured server under supervision: its connection, its lists, and the calls that run on it. */
export class ManagedServer {
  readonly log: LogRing;
  readonly catalog: Catalog;
  readonly #deps: ManagedServerDeps;
  readonly #policy = new RestartPolicy();
  readonly #health: HealthCheck;
  readonly #calls = new ServerCalls();
  readonly #errors: Diagnosis['errors'] = [];
  #probes: Diagnosis['probes'] = [];
  #record: ServerRecord;
  #hash: string;
  readonly #status: StatusBoard;
  #attempt: Attempt | undefined;
  #connection: Connection | undefined;
  #retry: NodeJS.Timeout | undefined;
  /** Why nothing is tried any more until a person acts. */
  #givenUp: CeriseError | undefined;
  /** Why it never runs again. */
  #over: CeriseError | undefined;

  constructor(record: ServerRecord, deps: ManagedServerDeps) {
    this.#deps = deps;
    this.log = new LogRing(deps.limits.stderrRing);
    this.#record = record;
    this.#hash = launchHash(record.config);
    this.#status = new StatusBoard(restingState(record), (status) =>
      deps.onStatus(this.#record.id, status),
    );
    this.log.setSecrets(listSecrets(record.config));
    this.catalog = new Catalog(() => this.connect());
    this.#health = new HealthCheck({
      busy: () => this.#calls.size > 0,
      onDead: (connection, error) => this.#lost(connection, error),
    });
  }

  get record(): ServerRecord {
    return this.#record;
  }

  get status(): ServerStatus {
    return this.#status.current;
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** The last failures, the newest last. */
  get errors(): readonly { at: number; message: string }[] {
    return this.#errors;
  }

  /** What the last attempt asked of the server, and what came of it. */
  get probes(): Readonly<Diagnosis['probes']> {
    return this.#probes;
  }

  /** Takes a new record. The connection goes on unless what is run or reached has changed. */
  async update(record: ServerRecord): Promise<void> {
    const hash = launchHash(record.config);
    const keep = hash === this.#hash && !isHeld(restingState(record));
    this.#record = record;
    this.#hash = hash;
    this.log.setSecrets(listSecrets(record.config));
    if (!keep) await this.stop();
    else if (isHeld(this.status.state)) this.#status.set('idle');
  }

  /** The open connection, the one being opened, or a new one; at once, whatever the pause before the next attempt. */
  connect(): Promise<Connection> {
    if (this.#connection) return Promise.resolve(this.#connection);
    const held = this.#over ?? holdError(this.#record) ?? this.#givenUp;
    if (held) return Promise.reject(held);
    if (!this.#attempt) {
      clearTimeout(this.#retry);
      const controller = new AbortController();
      const promise = Promise.resolve().then(() => this.#open(controller));
      this.#attempt = { controller, promise };
    }
    return this.#attempt.promise;
  }

  /** Ends connection, process and running calls. The next use connects again. */
  async stop(): Promise<void> {
    this.#calls.abortAll();
    const attempt = this.#attempt;
    const connection = this.#connection;
    this.#attempt = undefined;
    this.#connection = undefined;
    this.#givenUp = undefined;
    clearTimeout(this.#retry);
    this.#policy.reset();
    this.#health.stop();
    this.catalog.reset();
    this.#status.set(restingState(this.#record));
    attempt?.controller.abort();
    await Promise.all([
      attempt?.promise.then((late) => late.close(), ignoreExpected),
      connection?.close(),
    ]);
  }

  /** The same for good: whoever still has this, in the middle of a restart perhaps, gets the reason. */
  async end(reason: CeriseError): Promise<void> {
    this.#over = reason;
    await this.stop();
  }

  async checkConnectivity(): Promise<boolean> {
    try {
      await this.#ping(await this.connect());
      return true;
    } catch (error) {
      if (!(error instanceof CeriseError)) throw error;
      this.log.push('event', `not reachable: ${error.message}`);
      return false;
    }
  }

  /** Asks whether it answers, and what it offers; nothing is connected for it. */
  async examine(): Promise<Examination> {
    const connection = this.#connection;
    if (!connection) return {};
    const started = performance.now();
    try {
      await this.#ping(connection);
      const ping = { ms: Math.round(performance.now() - started) };
      const tools = await this.catalog.tools.get();
      return { ping, tools: { ...describeTools(tools), cut: this.catalog.tools.isCut } };
    } catch (error) {
      if (!(error instanceof CeriseError)) throw error;
      const words = this.#redacted(joinWords(messageOf(error), hintOf(error)));
      const errorSaid = sentenceRef(words);
      return { ping: { error: textOf(words), ...(errorSaid && { errorSaid }) } };
    }
  }

  /** After a refused call nobody is there; after one whose connection broke, a ping tells. */
  #doubt(error: unknown): void {
    const connection = this.#connection;
    if (!connection || !(error instanceof CallError)) return;
    if (error.reach === 'never-left' && isGone(error)) this.#lost(connection, error);
    else if (error.code === 'outcome_unknown' && connection.kind !== 'stdio')
      void this.checkConnectivity();
  }

  /** A server that is gone is no longer connected, from the first refusal on. */
  async #ping(connection: Connection): Promise<void> {
    try {
      await connection.ping();
    } catch (error) {
      if (isGone(error)) this.#lost(connection, error);
      throw error;
    }
  }

  /** Throws unless the server may be used at all. */
  assertFree(): void {
    const held = holdError(this.#record);
    if (held) throw held;
  }

  async callTool(request: ToolCallRequest): Promise<ToolResult> {
    const { callId } = request;
    const stop = this.#calls.begin(callId);
    try {
      const { logger, answers, limits } = this.#deps;
      return await callTool(request, {
        record: this.#record,
        limits,
        connection: this.#connection,
        connect: () => this.connect(),
        catalog: this.catalog,
        stop,
        logger,
        answers,
      });
    } catch (error) {
      this.#askForSignIn(error);
      this.#doubt(error);
      throw error;
    } finally {
      this.#calls.end(callId);
    }
  }

  /** Whether such a call was running. */
  abortTool(callId: string): boolean {
    return this.#calls.abort(callId);
  }

  /** A call needs a sign-in, or more rights than the last one gave; other calls go on as they can. */
  #askForSignIn(error: unknown): void {
    if (!this.#connection || !(error instanceof CeriseError) || error.code !== 'sign_in_required')
      return;
    const reason = joinWords(messageOf(error), hintOf(error));
    this.#status.set('needs-auth', { reason, reasonCode: error.code });
  }

  async #open(controller: AbortController): Promise<Connection> {
    const { signal } = controller;
    try {
      if (signal.aborted)
        throw new CeriseError('cancelled', say('connecting-cancelled')`Connection cancelled.`);
      const again = this.status.state === 'reconnecting';
      const { reason, reasonSaid, reasonCode } = this.status;
      const why = { reason: reason && toWords(reason, reasonSaid), reasonCode };
      this.#status.set(again ? 'reconnecting' : 'connecting', why);
      this.log.forgetOutput();
      const connection = await this.#openConnection(signal);
      if (signal.aborted) {
        await connection.close();
        throw new CeriseError('cancelled', say('connecting-cancelled')`Connection cancelled.`);
      }
      this.#attempt = undefined;
      this.#connection = connection;
      this.#policy.connected(Date.now());
      this.#health.watch(connection);
      void this.catalog.connected(connection).catch(ignoreExpected);
      const { version } = connection.greeting.agreement;
      this.log.push('event', `connected, protocol ${version}`);
      this.log.forgetOutput();
      this.#status.set('connected');
      return connection;
    } catch (error) {
      if (signal.aborted) throw error;
      this.#attempt = undefined;
      throw this.#failed(error);
    }
  }

  async #openConnection(signal: AbortSignal): Promise<Connection> {
    let ended: CeriseError | undefined;
    this.#probes = [];
    let connection: Connection | undefined;
    connection = await openConnection(this.#record, {
      ...this.#deps,
      log: this.log,
      signal,
      onInstall: (text) => {
        // What is stopped may still say something before it has ended.
        if (!signal.aborted) this.#status.installing(text && this.log.redact(text));
      },
      onProbe: (words) => {
        const clean = this.#redacted(words);
        const textSaid = sentenceRef(clean);
        this.#probes.push({ text: textOf(clean), ...(textSaid && { textSaid }) });
        this.log.push('event', textOf(words));
      },
      news: {
        onListChanged: (list) => {
          this.catalog.changed(list);
          this.#deps.onNews?.(this.#record.id, { kind: 'list', list });
        },
        onResourceUpdated: (uri) => this.catalog.updated(uri),
        onLog: (level, text) => {
          this.log.push('log', `${level}: ${text}`);
          this.#deps.onNews?.(this.#record.id, { kind: 'log', level, text: this.log.redact(text) });
        },
        onClose: (error) => {
          ended =
            error ??
            new CeriseError(
              'connection_lost',
              say('server-ended-connection')`The server closed the connection.`,
            );
          if (connection) this.#lost(connection, ended);
        },
      },
    });
    if (ended) throw ended;
    return connection;
  }

  /** An attempt failed or a connection was lost: says so, and plans what follows. */
  #failed(error: unknown): CeriseError {
    const failure =
      error instanceof CeriseError
        ? error
        : new CeriseError(
            'internal',
            say('connecting-failed-here')`Couldn't connect because of an error in Cerise.`,
            {
              cause: error,
            },
          );
    const crashed =
      this.#record.config.type === 'stdio' &&
      (failure.code === 'connection_lost' || failure.code === 'unreadable_response');
    const reason = this.#redacted(joinWords(messageOf(failure), hintOf(failure)));
    const message = textOf(reason);
    const messageSaid = sentenceRef(reason);
    this.#errors.push({ at: Date.now(), message, ...(messageSaid && { messageSaid }) });
    if (this.#errors.length > 10) this.#errors.shift();
    this.log.push('event', `failed: ${message}`);
    const { fix } = (failure.details ?? {}) as { fix?: ServerFix };
    const why = { reason, reasonCode: failure.code, ...(fix && { fix }) };
    const step = this.#policy.failed(failure, crashed, Date.now());
    if (step.state === 'reconnecting') {
      this.#status.set('reconnecting', { ...why, retryAt: Date.now() + step.pause });
      this.#retry = setTimeout(() => void this.#tryAgain(), step.pause);
      this.#retry.unref();
    } else if (step.state === 'failed' && step.crashes) {
      const { crashes } = step;
      const often = say(
        'ended-often',
      )`The server exited ${crashes} times within five minutes. ${reason}`;
      this.#givenUp = new CeriseError('connection_lost', often, {
        hint: say('ended-often-hint')`Check its log, fix the problem, then restart it.`,
      });
      this.#status.set('failed', { ...why, reason: often });
    } else this.#status.set(step.state, why);
    return failure;
  }

  /** Nobody waits for this attempt: what comes of it is in the status. */
  async #tryAgain(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      ignoreExpected(error);
    }
  }

  #lost(connection: Connection, error: CeriseError): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#health.stop();
    this.catalog.disconnected();
    this.#failed(explainLoss(error, this.#record.config, this.log));
    void connection.close();
  }

  #redacted(words: Words): Words {
    return changeWords(words, (text) => this.log.redact(text));
  }
}

function ignoreExpected(error: unknown): void {
  if (!(error instanceof CeriseError)) throw error;
}
