import { randomUUIDv7 } from 'node:crypto';
import type { ModelCatalog } from '#models/catalog/catalog.ts';
import type { AnswerInput, InputView } from '#shared/api/input-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import {
  allowsServer,
  allowsTool,
  allowsWhole,
  type Within,
} from '#shared/vocabulary/server-limit.ts';
import type {
  ElicitationAnswer,
  RequestAnswers,
  RequestContext,
  Root,
  SamplingAnswer,
  ServerRequest,
} from '#shared/vocabulary/server-request.ts';
import type { ServerRecord } from '#shared/vocabulary/server.ts';
import { shutdownReason } from '#shared/vocabulary/tool.ts';
import {
  answerInput,
  closeInput,
  getInput,
  type InputRecord,
  keepInput,
  listOpenInputs,
  readInputs,
  tidyInputs,
} from '#store/calls/inputs.ts';
import { getToolCall } from '#store/calls/tool-calls.ts';
import type { Store } from '#store/database/store.ts';
import { insertAudit } from '#store/people/audit.ts';
import { askCaller } from '../calls/asker.ts';
import type { RunningCalls } from '../calls/running-calls.ts';
import { answerProblem } from './answer-problem.ts';
import { aboutQuestion, readElicited, readRoots, readSampled, toParams } from './caller-answers.ts';
import { questionId } from './question-id.ts';
import { listRoots } from './roots.ts';
import { askModel, chooseModel, describeSampling, readSampling } from './sampling.ts';

const maxFormChars = 256 * 1024;
/** How long it is remembered that a question was there. */
const memoryMs = 30 * 24 * 3_600_000;

type Distribute<T, K extends PropertyKey> = T extends T ? Omit<T, K> : never;
/** What a question says of itself; who asks, and when, is added here. */
type Question = Distribute<
  InputView,
  | 'id'
  | 'serverId'
  | 'serverName'
  | 'toolCallId'
  | 'topicId'
  | 'answerId'
  | 'createdAt'
  | 'expiresAt'
>;

type Elicitation = Extract<ServerRequest, { kind: 'form' | 'url' }>;

const nobody: AnswerInput = { action: 'cancel' };

/** What a server asks in, with the server as it is then. */
export type AskContext = RequestContext & { server: ServerRecord };

/** Somebody in this process who waits for an answer. */
interface Waiter {
  record: InputRecord;
  /** `stored` says that the answer came by the row. */
  settle: (end: { answer: AnswerInput; stored: boolean } | 'left') => void;
}

/** What the questions of servers need of the host. */
export interface InputsDeps {
  store: Store;
  models: { of(owner: string): Pick<ModelCatalog, 'list' | 'resolve'> };
  running: RunningCalls;
  defaultModel: (owner: string) => Promise<string>;
  emit: (owner: string, event: HostEvent) => void;
  now: () => number;
  limits: Pick<Limits, 'callTotalTime' | 'inputTime' | 'openInputs'>;
  /** Names this process among those that share the database. */
  instance?: string;
}

/**
 * Asks people what servers ask, and gives the servers their answers. Every question is a row, which any
 * process on the database may answer. One of a call that can be gone on with has the same id whenever it
 * is asked, and stays as long as its call is parked; any other ends with this process, its call or an
 * hour.
 */
export class Inputs {
  readonly #deps: InputsDeps;
  readonly #instance: string;
  readonly #waiters = new Map<string, Waiter>();

  constructor(deps: InputsDeps) {
    this.#deps = deps;
    this.#instance = deps.instance ?? randomUUIDv7();
  }

  /** What answers one server. */
  answersFor(server: () => ServerRecord): RequestAnswers {
    const from = (context: RequestContext) => ({ ...context, server: server() });
    return {
      elicit: (request, context) => this.elicit(request, from(context)),
      sample: (params, context) => this.sample(params, from(context)),
      roots: (context) => this.roots(from(context)),
    };
  }

  /** The questions that wait for a person, the oldest first; for a limited key those of its servers. */
  async list(owner: string, within?: Within): Promise<InputView[]> {
    const open = await listOpenInputs(this.#deps.store.db, owner, this.#deps.now());
    const isAsked = await Promise.all(open.map((view) => this.#isWithin(owner, view, within)));
    return open.filter((_, place) => isAsked[place]);
  }

  /** With some tools of a server alone, a key answers what calls of these ask. */
  async #isWithin(owner: string, view: InputView, within: Within): Promise<boolean> {
    const { serverId, toolCallId } = view;
    if (allowsWhole(within, serverId)) return true;
    if (!allowsServer(within, serverId) || toolCallId === undefined) return false;
    const call = await getToolCall(this.#deps.store.db, owner, toolCallId);
    return call !== undefined && allowsTool(within, serverId, call.toolName);
  }

  /** Answers a question. Each is answered once; what does not fit the form is refused with the field. */
  async answer(
    owner: string,
    id: string,
    answer: AnswerInput,
    within?: Within,
  ): Promise<InputView> {
    const { store, models, now } = this.#deps;
    const input = await getInput(store.db, owner, id, now());
    if (!input || !(await this.#isWithin(owner, input.view, within)))
      throw new CeriseError('input_not_found', say('question-gone')`This request doesn't exist.`);
    if (!input.isOpen) throw alreadyDecided();
    const { view } = input;
    const problem = answerProblem(view, answer);
    if (problem) throw new CeriseError('invalid_request', problem);
    if (answer.model) await models.of(owner).resolve(answer.model);
    await store.transaction(async (tx) => {
      if (!(await answerInput(tx, owner, id, answer, now()))) throw alreadyDecided();
      const { kind, serverId } = view;
      const action = `input.${answer.action}`;
      await insertAudit(tx, { owner, action, subject: id, details: { kind, serverId } });
    });
    await fault('input-answered');
    const waiter = this.#waiters.get(id);
    if (waiter) waiter.settle({ answer, stored: true });
    else this.#emit('input-answered', input);
    return view;
  }

  /** Looks again at what is waited for here: another process may have answered. Absent: at all of it. */
  async refresh(ids: readonly string[] = [...this.#waiters.keys()]): Promise<void> {
    const waiting = ids.filter((id) => this.#waiters.has(id));
    for (const { answer = nobody, closedAt, view } of await readInputs(
      this.#deps.store.db,
      waiting,
    ))
      if (closedAt !== undefined) this.#waiters.get(view.id)?.settle({ answer, stored: true });
  }

  /** Ends what was asked by processes that are gone: all but this one and those named. */
  async tidy(alive: readonly string[] = []): Promise<void> {
    const at = this.#deps.now();
    await this.#deps.store.transaction((tx) =>
      tidyInputs(tx, [this.#instance, ...alive], at, at - memoryMs),
    );
  }

  async elicit(request: Elicitation, context: AskContext): Promise<ElicitationAnswer> {
    if (request.kind === 'form' && JSON.stringify(request.schema).length > maxFormChars)
      throw new CeriseError(
        'message_too_large',
        say('form-too-large')`The server's form is too large.`,
      );
    const { action, content } = (await this.#elicit(request, context)).answer;
    if (action !== 'accept') return { action: action === 'decline' ? 'decline' : 'cancel' };
    return { action, ...(request.kind === 'form' && { content: content ?? {} }) };
  }

  /** Where the caller can be asked too, whoever answers first has answered. */
  async #elicit(request: Elicitation, context: AskContext) {
    const asker = this.#call(context)?.asker;
    const params = toParams(request);
    if (!asker?.can('elicitation/create', params)) return this.#ask(toQuestion(request), context);
    const coming = asker.coming();
    const over = new AbortController();
    try {
      return await this.#ask(toQuestion(request), context, ({ owner, view }) =>
        coming({
          ...aboutQuestion(context),
          method: 'elicitation/create',
          params,
          answer: async (result) => void (await this.answer(owner, view.id, readElicited(result))),
          refuse: async () => void (await this.answer(owner, view.id, nobody)),
          over: over.signal,
        }),
      );
    } finally {
      over.abort();
      coming();
    }
  }

  /** A caller that can use a model of its own is asked to, and asks its person itself; else ours need an approval. */
  async sample(params: JsonObject, context: AskContext): Promise<SamplingAnswer> {
    const owner = this.#asked(context);
    const call = this.#call(context);
    const question = {
      ...aboutQuestion(context),
      method: 'sampling/createMessage' as const,
      params,
    };
    const theirs = await askCaller(call?.asker, question, lifeOf(context, call));
    if (theirs) return readSampled(theirs);
    const request = readSampling(params);
    const models = this.#deps.models.of(owner);
    const fallback = call?.model ?? (await this.#deps.defaultModel(owner));
    const proposed = await chooseModel(models, request, fallback);
    const shown = { kind: 'sampling' as const, model: proposed, params: describeSampling(request) };
    const { answer, view } = await this.#ask(shown, context);
    if (answer.action !== 'approve')
      throw new CeriseError(
        'denied',
        say('sampling-denied')`The server wasn't allowed to use a model.`,
      );
    const name = answer.model ?? (view.kind === 'sampling' ? view.model : proposed);
    const signal = AbortSignal.any([
      lifeOf(context, call),
      AbortSignal.timeout(this.#deps.limits.callTotalTime),
    ]);
    return askModel(await models.resolve(name), name, request, signal);
  }

  async roots(context: AskContext): Promise<Root[]> {
    const { config } = context.server;
    const call = this.#call(context);
    const question = { ...aboutQuestion(context), method: 'roots/list' as const, params: {} };
    const theirs = config.callerRoots
      ? await askCaller(call?.asker, question, lifeOf(context, call))
      : undefined;
    return theirs ? readRoots(theirs) : listRoots(config.roots);
  }

  /** The server was stopped: nobody waits for its answers any more. What is parked ends with its call. */
  closeServer(serverId: string): void {
    for (const { record, settle } of this.#waiters.values())
      if (record.view.serverId === serverId && record.instance !== undefined)
        settle({ answer: nobody, stored: false });
  }

  /**
   * Resolves with the person's answer, or with `cancel` when there will be none. Throws `cancelled` when
   * nobody wants it any more, or nobody here.
   */
  async #ask(
    question: Question,
    context: AskContext,
    onAsked: (record: InputRecord) => void = () => undefined,
  ): Promise<{ answer: AnswerInput; view: InputView }> {
    const record = this.#toRecord(question, context);
    const signal = lifeOf(context, this.#call(context));
    if (context.signal.aborted)
      throw new CeriseError('cancelled', say('call-cancelled')`The call was cancelled.`);
    if (this.#call(context)?.unattended)
      return { answer: { action: 'decline' }, view: record.view };
    const mayAsk = !signal.aborted && (this.#hasRoom(record) || (await this.#isKnown(record)));
    if (!mayAsk) return { answer: nobody, view: record.view };
    const { promise, resolve: settle } = Promise.withResolvers<Parameters<Waiter['settle']>[0]>();
    const stays = record.instance === undefined;
    const giveUp = (): void =>
      settle(
        stays && signal.reason === shutdownReason ? 'left' : { answer: nobody, stored: false },
      );
    const waiter = { record, settle };
    this.#waiters.set(record.view.id, waiter);
    signal.addEventListener('abort', giveUp);
    const timer = stays ? undefined : setTimeout(giveUp, this.#life).unref();
    try {
      const kept = await this.#deps.store.transaction((tx) => keepInput(tx, record));
      if (kept.closedAt === undefined) {
        this.#emit('input-requested', kept);
        onAsked(record);
      } else settle({ answer: kept.answer ?? nobody, stored: true });
      const unpark = context.callId ? this.#deps.running.park(context.callId) : () => undefined;
      const end = await promise;
      if (end === 'left')
        throw new CeriseError('cancelled', say('question-stays')`The request stays open.`);
      if (!end.stored || !stays) await this.#closeRow(record);
      this.#emit('input-answered', record);
      unpark();
      if (context.signal.aborted)
        throw new CeriseError('cancelled', say('call-cancelled')`The call was cancelled.`);
      return { answer: end.answer, view: kept.view };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      if (this.#waiters.get(record.view.id) === waiter) this.#waiters.delete(record.view.id);
    }
  }

  #toRecord(question: Question, context: AskContext): InputRecord {
    const { serverId, serverName, callId, question: name } = context;
    const owner = this.#asked(context);
    const call = this.#call(context);
    const { topicId, answerId } = call ?? {};
    const createdAt = this.#deps.now();
    const isRecorded = call !== undefined && !call.isUnrecorded;
    const stays = isRecorded && callId !== undefined && name !== undefined;
    const view: InputView = {
      id: stays ? questionId(callId, name) : randomUUIDv7(),
      serverId,
      serverName,
      ...(callId && !call?.isUnrecorded && { toolCallId: callId }),
      ...(topicId && { topicId }),
      ...(answerId && { answerId }),
      createdAt,
      ...(!stays && { expiresAt: createdAt + this.#life }),
      ...question,
    };
    return {
      owner,
      view,
      ...(isRecorded && callId && { callId }),
      ...(!stays && { instance: this.#instance }),
    };
  }

  get #life(): number {
    return this.#deps.limits.inputTime;
  }

  #hasRoom({ owner }: InputRecord): boolean {
    const own = this.#waiters.values().filter(({ record }) => record.owner === owner);
    return own.toArray().length < this.#deps.limits.openInputs;
  }

  /** What was asked before is not refused when it is asked again. */
  async #isKnown({ view, instance }: InputRecord): Promise<boolean> {
    if (instance !== undefined) return false;
    return (await readInputs(this.#deps.store.db, [view.id])).length > 0;
  }

  /** Where that fails the question ends by its time, with its call or at the next start. */
  async #closeRow({ view }: InputRecord): Promise<void> {
    const { store, now } = this.#deps;
    await closeInput(store.db, view.id, now()).catch(() => undefined);
  }

  #emit(type: 'input-requested' | 'input-answered', { owner, view }: InputRecord): void {
    const { id: inputId, serverId, topicId } = view;
    this.#deps.emit(owner, { type, inputId, serverId, ...(topicId && { topicId }) });
  }

  #call({ callId }: AskContext) {
    return callId === undefined ? undefined : this.#deps.running.find(callId);
  }

  /** The caller; what a server asks outside of a call is for its owner. */
  #asked(context: AskContext): string {
    return this.#call(context)?.owner ?? context.server.owner;
  }
}

function alreadyDecided(): CeriseError {
  return new CeriseError('already_decided', say('question-closed')`This request is closed.`, {
    hint: say('question-closed-hint')`It was answered or expired, or its call has ended.`,
  });
}

function toQuestion(request: Elicitation): Question {
  const { message } = request;
  if (request.kind === 'url') return { kind: 'url', message, url: request.url };
  return { kind: 'form', message, schema: request.schema };
}

/** An old server does not end its question when the call is ended; a question of no call has only its own end. */
function lifeOf({ signal }: RequestContext, call: { over: AbortSignal } | undefined): AbortSignal {
  return call ? AbortSignal.any([signal, call.over]) : signal;
}
