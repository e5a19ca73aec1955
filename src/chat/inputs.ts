import { randomUUIDv7 } from 'node:crypto';
import type { ModelCatalog } from '#models/catalog.ts';
import { CeriseError } from '#shared/errors.ts';
import type { HostEvent } from '#shared/event.ts';
import { formProblem } from '#shared/form.ts';
import type { AnswerInput, InputView } from '#shared/input-api.ts';
import type { JsonObject } from '#shared/json.ts';
import { limits } from '#shared/limits.ts';
import type { ServerRecord } from '#shared/server.ts';
import type {
  ElicitationAnswer,
  RequestAnswers,
  RequestContext,
  Root,
  SamplingAnswer,
  ServerRequest,
} from '#shared/server-request.ts';
import { insertAudit } from '#store/audit.ts';
import type { Store } from '#store/store.ts';
import { listRoots } from './roots.ts';
import type { RunningCalls } from './running-calls.ts';
import { askModel, chooseModel, describeSampling, readSampling } from './sampling.ts';

const largestForm = 256 * 1024;
const mostRemembered = 1000;

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

interface OpenInput {
  owner: string;
  view: InputView;
  settle: (answer: AnswerInput) => void;
}

/** What the questions of servers need of the host. */
export interface InputsDeps {
  store: Store;
  models: Pick<ModelCatalog, 'list' | 'resolve'>;
  running: RunningCalls;
  /** Undefined if the server is gone. */
  server: (serverId: string) => ServerRecord | undefined;
  defaultModel: (owner: string) => Promise<string>;
  emit: (owner: string, event: HostEvent) => void;
  now: () => number;
  /** Milliseconds a question stays open. */
  life?: number;
}

/**
 * Asks people what servers ask, and gives the servers their answers. A question lives as long as its
 * call, an hour at most. It is kept in memory only: with the process the session it was asked in is
 * gone too, and the call it belongs to has then no known outcome.
 */
export class Inputs implements RequestAnswers {
  readonly #deps: InputsDeps;
  readonly #open = new Map<string, OpenInput>();
  /** Owners of questions that are no longer open, so that a late answer is told so. */
  readonly #closed = new Map<string, string>();

  constructor(deps: InputsDeps) {
    this.#deps = deps;
  }

  /** The questions that wait for a person, the oldest first. */
  list(owner: string): InputView[] {
    return [...this.#open.values()]
      .filter((input) => input.owner === owner)
      .map(({ view }) => view);
  }

  /** Answers a question. Each is answered once; what does not fit the form is refused with the field. */
  async answer(owner: string, id: string, answer: AnswerInput): Promise<InputView> {
    const { view } = this.#find(owner, id);
    const { kind, serverId } = view;
    const problem = answerProblem(view, answer);
    if (problem) throw new CeriseError('invalid_request', problem);
    if (answer.model) await this.#deps.models.resolve(answer.model);
    const action = `input.${answer.action}`;
    await this.#deps.store.transaction((tx) =>
      insertAudit(tx, { owner, action, subject: id, details: { kind, serverId } }),
    );
    this.#find(owner, id).settle(answer);
    return view;
  }

  async elicit(
    request: Extract<ServerRequest, { kind: 'form' | 'url' }>,
    context: RequestContext,
  ): Promise<ElicitationAnswer> {
    if (request.kind === 'form' && JSON.stringify(request.schema).length > largestForm)
      throw new CeriseError('message_too_large', 'The form the server shows is too large.');
    const { action, content } = await this.#ask(toQuestion(request), context);
    if (action !== 'accept') return { action: action === 'decline' ? 'decline' : 'cancel' };
    return { action, ...(request.kind === 'form' && { content: content ?? {} }) };
  }

  async sample(params: JsonObject, context: RequestContext): Promise<SamplingAnswer> {
    const request = readSampling(params);
    const { owner } = this.#server(context);
    const call = this.#call(context);
    const fallback = call?.model ?? (await this.#deps.defaultModel(owner));
    const proposed = await chooseModel(this.#deps.models, request, fallback);
    const question = {
      kind: 'sampling' as const,
      model: proposed,
      params: describeSampling(request),
    };
    const answer = await this.#ask(question, context);
    if (answer.action !== 'approve')
      throw new CeriseError('denied', 'The server was not allowed to ask a model.');
    const name = answer.model ?? proposed;
    const signal = AbortSignal.any([
      lifeOf(context, call),
      AbortSignal.timeout(limits.callTotalTime),
    ]);
    return askModel(await this.#deps.models.resolve(name), name, request, signal);
  }

  async roots(context: RequestContext): Promise<Root[]> {
    return listRoots(this.#server(context).config.roots);
  }

  /** The server was stopped: nobody waits for its answers any more. */
  closeServer(serverId: string): void {
    for (const { view, settle } of this.#open.values())
      if (view.serverId === serverId) settle({ action: 'cancel' });
  }

  /**
   * Resolves with the person's answer, or with `cancel` when there will be none. Throws `cancelled` when
   * nobody wants it any more.
   */
  async #ask(question: Question, context: RequestContext): Promise<AnswerInput> {
    const { owner } = this.#server(context);
    const call = this.#call(context);
    const signal = lifeOf(context, call);
    if (signal.aborted || this.list(owner).length >= limits.openInputs) return { action: 'cancel' };
    const view = this.#toView(question, context);
    const { promise, resolve } = Promise.withResolvers<AnswerInput>();
    const settle = (answer: AnswerInput): void => {
      this.#close(view.id);
      resolve(answer);
    };
    const giveUp = (): void => settle({ action: 'cancel' });
    const timer = setTimeout(giveUp, view.expiresAt - view.createdAt).unref();
    signal.addEventListener('abort', giveUp);
    const unpark = context.callId ? this.#deps.running.park(context.callId) : () => undefined;
    this.#open.set(view.id, { owner, view, settle });
    this.#emit('input-requested', owner, view);
    const answer = await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    unpark();
    if (context.signal.aborted) throw new CeriseError('cancelled', 'The call was cancelled.');
    return answer;
  }

  #toView(question: Question, context: RequestContext): InputView {
    const { serverId, serverName, callId } = context;
    const { topicId, answerId } = this.#call(context) ?? {};
    const createdAt = this.#deps.now();
    return {
      id: randomUUIDv7(),
      serverId,
      serverName,
      ...(callId && { toolCallId: callId }),
      ...(topicId && { topicId }),
      ...(answerId && { answerId }),
      createdAt,
      expiresAt: createdAt + (this.#deps.life ?? limits.inputTime),
      ...question,
    };
  }

  #close(id: string): void {
    const input = this.#open.get(id);
    if (!input) return;
    this.#open.delete(id);
    this.#closed.set(id, input.owner);
    const [oldest] = this.#closed.keys();
    if (this.#closed.size > mostRemembered && oldest) this.#closed.delete(oldest);
    this.#emit('input-answered', input.owner, input.view);
  }

  #emit(type: 'input-requested' | 'input-answered', owner: string, view: InputView): void {
    const { id: inputId, serverId, topicId } = view;
    this.#deps.emit(owner, { type, inputId, serverId, ...(topicId && { topicId }) });
  }

  #find(owner: string, id: string): OpenInput {
    const input = this.#open.get(id);
    if (input?.owner === owner) return input;
    if (this.#closed.get(id) === owner)
      throw new CeriseError('already_decided', 'This question is no longer open.', {
        hint: 'It was answered, it ran out of time, or the call it belongs to has ended.',
      });
    throw new CeriseError('input_not_found', 'There is no such question.');
  }

  #call({ callId }: RequestContext) {
    return callId === undefined ? undefined : this.#deps.running.find(callId);
  }

  #server({ serverId }: RequestContext): ServerRecord {
    const record = this.#deps.server(serverId);
    if (record) return record;
    throw new CeriseError('server_not_found', 'The server that asks is gone.');
  }
}

function toQuestion(request: Extract<ServerRequest, { kind: 'form' | 'url' }>): Question {
  const { message } = request;
  if (request.kind === 'url') return { kind: 'url', message, url: request.url };
  return { kind: 'form', message, schema: request.schema };
}

/** An old server does not end its question when the call is ended; a question of no call has only its own end. */
function lifeOf({ signal }: RequestContext, call: { over: AbortSignal } | undefined): AbortSignal {
  return call ? AbortSignal.any([signal, call.over]) : signal;
}

/** Why an answer does not answer the question; undefined if it does. */
function answerProblem(
  view: InputView,
  { action, content, model }: AnswerInput,
): string | undefined {
  const actions = view.kind === 'sampling' ? ['approve', 'deny'] : ['accept', 'decline', 'cancel'];
  if (!actions.includes(action)) return `action: must be ${actions.join(' or ')} here.`;
  if (model && action !== 'approve') return 'model: belongs only to an approval.';
  if (content && (view.kind !== 'form' || action !== 'accept'))
    return 'content: belongs only to a form that is accepted.';
  return view.kind === 'form' && action === 'accept'
    ? formProblem(view.schema, content ?? {})
    : undefined;
}
