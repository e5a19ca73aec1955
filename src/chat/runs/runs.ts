import { randomUUIDv7 } from 'node:crypto';
import type { Run } from '#shared/api/v1-api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import { getMessage, pathTo } from '#store/conversations/messages.ts';
import {
  countRuns,
  deleteRun,
  endRun,
  findRunOfBody,
  findRunOfKey,
  freeKey,
  freeRetryKey,
  getRun,
  insertRun,
  retryKey,
  runsOfAnswer,
} from '#store/conversations/runs.ts';
import { getTopic } from '#store/conversations/topics.ts';
import type { Approvals } from '../calls/approvals.ts';
import type { ContextOf } from '../cluster/command.ts';
import type { RunCommand } from '../cluster/commands.ts';
import type { MessagesDeps } from '../conversations/answer-request.ts';
import type { Messages } from '../conversations/messages.ts';
import { newAnswer } from '../conversations/new-messages.ts';
import type { Topics } from '../conversations/topics.ts';
import type { Visitor } from '../people/visitor.ts';
import { withinOf } from '../servers/key-rights.ts';
import type { AnswerRequest } from '../turn/run-turn.ts';
import { chainOf } from './brought-chain.ts';
import { toMessages, withResults } from './brought-messages.ts';
import { type CallWord, decideCalls } from './decide-calls.ts';
import { type AnswerListener, answerViewer } from './follow-answer.ts';
import { toAnswerRequest } from './run-answer.ts';
import { findPlace, responseNotFound, type RunPlace } from './run-place.ts';
import type { RunReaders } from './run-readers.ts';
import type { Arrival, RunRequest } from './run-request.ts';
import { RunTries, type RunTry } from './run-tries.ts';
import { alreadyStarted, startRun, titleOf } from './start-run.ts';

interface RunsDeps extends MessagesDeps {
  topics: Topics;
  messages: Messages;
  readers: RunReaders;
  approvals: Pick<Approvals, 'get' | 'decide'>;
  fetchPicture: (url: string) => Promise<{ mimeType: string; bytes: Uint8Array }>;
}

/** An answer, as it is or is about to begin, and the event after which it is to be followed. */
export interface FollowedAnswer {
  answer: Message;
  after?: number | undefined;
}

/** A run as its client gets to read it. */
export interface StartedRun extends FollowedAnswer {
  run: Run;
  /** The name of who reads it. */
  reader: string;
}

/**
 * Requests of programs in the formats of other vendors. Each is an answer like any other, in a topic that is in no list
 * unless the program requests a chat; everything is committed when it resolves.
 */
export class Runs {
  readonly #deps: RunsDeps;
  readonly #start: RunCommand<'run'>;
  readonly #tries = new RunTries();

  constructor(deps: RunsDeps) {
    this.#deps = deps;
    this.#start = deps.commands.define('run', (at, body, also, known) =>
      startRun(deps, at, body, also, known),
    );
  }

  /** Begins a run, or joins the one that a retry repeats. */
  async begin(visitor: Visitor, request: RunRequest, arrival: Arrival): Promise<StartedRun> {
    const name = JSON.stringify([visitor.owner, credentialOf(visitor), arrival.bodyHash]);
    return this.#tries.enter(name, arrival, this.#deps.now(), async (own) => {
      const joined = await this.#findFirst(visitor, arrival, own);
      if (joined) return this.read(joined);
      return this.#beginNew(visitor, request, arrival, own).catch(async (error: unknown) => {
        // Two first requests with one key, or two tries on two hosts: whoever comes second joins.
        if (!(error instanceof CeriseError)) throw error;
        const isOvertaken = keyOf(arrival) === undefined;
        if (isOvertaken && error.code !== 'conflict') throw error;
        const again = { ...arrival, isRetry: arrival.isRetry || isOvertaken };
        const first = await this.#findFirst(visitor, again, own);
        if (!first) throw error;
        return isOvertaken ? this.look(first) : this.read(first);
      });
    });
  }

  async #beginNew(
    visitor: Visitor,
    request: RunRequest,
    arrival: Arrival,
    own: RunTry,
  ): Promise<StartedRun> {
    const { decisions = [] } = request;
    if (decisions.length > 0) return this.#goOnDecided(visitor, request, arrival, decisions);
    const { owner } = visitor;
    const deps = this.#deps;
    const within = withinOf(visitor);
    const { assistantId, ...wanted } = await toAnswerRequest(deps, owner, request, within);
    const asked = { ...wanted, caller: arrival.caller };
    const model = await deps.resolveModel(asked.model, owner);
    await deps.checkServers(owner, request.servers ?? [], within);
    await deps.checkRoom(owner);
    const asker = { owner, credential: credentialOf(visitor) };
    const place = await findPlace(deps, asker, request, assistantId);
    const known = { model, begins: place.begins };
    return this.#beginIn(visitor, request, { arrival, own }, asked, place, known);
  }

  /** A run of an owner. Throws `response_not_found`. */
  async get(owner: string, id: string): Promise<Run> {
    const run = await getRun(this.#deps.store.db, owner, id);
    if (run) return run;
    throw responseNotFound();
  }

  /** Reads an existing run from its beginning, in place of its previous reader. */
  async read(run: Run): Promise<StartedRun> {
    const reader = await this.#deps.readers.take(run);
    return { ...(await this.look(run)), reader };
  }

  /** Reads a run without taking it over. */
  async look(run: Run): Promise<StartedRun> {
    const reader = this.#deps.readers.newName();
    const answer = await getMessage(this.#deps.store.db, run.owner, run.answerId);
    if (!answer) throw responseNotFound();
    return { run, reader, answer };
  }

  /** Follows an answer until it or this host ends. Resolves to a function that ends that. */
  async follow(
    owner: string,
    { answer, after }: FollowedAnswer,
    listener: AnswerListener,
  ): Promise<() => void> {
    if (isMessageRunning(answer)) {
      const viewer = answerViewer(answer, listener);
      return this.#deps.topics.watch(owner, answer.topicId, after, viewer);
    }
    listener.show(answer);
    return () => undefined;
  }

  /** Stops the answer of a run; one that has ended stays as it is. */
  async stop({ owner, answerId }: Pick<Run, 'owner' | 'answerId'>): Promise<void> {
    await this.#deps.messages.stop(owner, answerId);
  }

  /** Ends a run for its program; the answer continues once the program has decided. */
  async end(run: Run, ends: NonNullable<Run['ends']>): Promise<void> {
    await endRun(this.#deps.store.db, run.id, ends);
  }

  /** Removes a run, and its topic if nothing else is in it. A chat stays. */
  async remove(run: Run): Promise<void> {
    const { store, topics } = this.#deps;
    const topic = await getTopic(store.db, run.owner, run.topicId);
    await this.stop(run);
    await deleteRun(store.db, run.id);
    const others = await countRuns(store.db, run.topicId);
    if (topic?.unlisted && others === 0) await topics.delete(run.owner, run.topicId);
  }

  /** What was said before the answer of a run. */
  async history(run: Run): Promise<Message[]> {
    return (await pathTo(this.#deps.store.db, run.topicId, run.answerId)).slice(0, -1);
  }

  /** The run that a retry joins: that of its key, or the newest of the same body, unless it failed without effect. */
  async #findFirst(visitor: Visitor, arrival: Arrival, own: RunTry): Promise<Run | undefined> {
    const { store, limits } = this.#deps;
    const asker = { owner: visitor.owner, credential: credentialOf(visitor) };
    const { requestKey, isRetry, bodyHash } = arrival;
    if (requestKey !== undefined) {
      const run = await findRunOfKey(store.db, asker, requestKey);
      if (run && run.bodyHash !== bodyHash) throw keyReused();
      if (run && (await this.#isWorthJoining(run))) return run;
      if (run) await freeKey(store.db, run.id);
    }
    if (!isRetry) return undefined;
    const since = this.#deps.now() - limits.v1RetryTime;
    const run = await findRunOfBody(store.db, asker, bodyHash, since);
    if (run && (await this.#isWorthJoining(run))) return run;
    // That of a retry that is newer than what was seen here stays: then this one joins it.
    own.since = run?.createdAt ?? since;
    await freeRetryKey(store.db, asker, retryKey(bodyHash), own.since);
    return undefined;
  }

  /** A model that failed may answer now, as long as no call was sent in between. */
  async #isWorthJoining(run: Run): Promise<boolean> {
    const answer = await getMessage(this.#deps.store.db, run.owner, run.answerId);
    if (!answer) return false;
    const isOver = answer.status === 'error' || answer.status === 'stopped';
    return !isOver || hasSent(answer);
  }

  async #beginIn(
    visitor: Visitor,
    request: RunRequest,
    { arrival, own }: { arrival: Arrival; own: RunTry },
    asked: AnswerRequest,
    place: RunPlace,
    known: ContextOf<'run'>,
  ): Promise<StartedRun> {
    const { owner } = visitor;
    const { topicId } = place;
    const at = this.#deps.now();
    const messages = await this.#messagesOf(visitor, place, at);
    const parentId = messages.at(-1)?.id ?? place.parentId;
    const made = { id: randomUUIDv7(), at: at + messages.length };
    const answer = newAnswer(topicId, parentId, made, asked.model);
    const run: Run = {
      ...this.#newRun(visitor, request, arrival, own.arrivedAt),
      topicId,
      answerId: answer.id,
      chain: chainOf(request.said),
      begins: 0,
    };
    const reader = this.#deps.readers.newName();
    const title = request.asChat ? titleOf(messages) : null;
    const { isShared } = this.#deps.live;
    const isAlone = !isShared || arrival.requestKey !== undefined;
    const since = isAlone ? undefined : own.since;
    const body = { messages: [...messages, answer], request: asked, run, since, reader, title };
    // Nothing is stored yet, so the client's next try could not join it.
    if (arrival.signal.aborted) throw clientGone();
    own.stores();
    const { seq } = await this.#start({ owner, topicId }, body, { known });
    return { run, reader, answer, after: seq };
  }

  /** The new messages of a topic: results for calls that were handed over, and what came after. */
  async #messagesOf(visitor: Visitor, place: RunPlace, at: number): Promise<Message[]> {
    const { topicId, parentId, answered, results, said } = place;
    const where = { owner: visitor.owner, topicId, parentId, at, origins: originsFor(visitor) };
    if (!answered) return toMessages(this.#deps, said, where);
    const copy = await withResults(this.#deps, answered, results, where);
    const next = { ...where, parentId: copy.id, at: at + 1 };
    return [copy, ...(await toMessages(this.#deps, said, next))];
  }

  /** Continues an answer that had asked the program: decides on the calls, and makes the rest a run. */
  async #goOnDecided(
    visitor: Visitor,
    request: RunRequest,
    arrival: Arrival,
    decisions: NonNullable<RunRequest['decisions']>,
  ): Promise<StartedRun> {
    const { store, readers } = this.#deps;
    const before = await this.#findAsked(visitor.owner, request.previous, decisions);
    if (before.ends === undefined || request.said.length > 0) throw nothingToDecide();
    await decideCalls(this.#deps.approvals, visitor, before.answerId, decisions);
    const run: Run = {
      ...before,
      ...this.#newRun(visitor, request, arrival, this.#deps.now()),
      begins: before.ends.at,
      ends: undefined,
    };
    const reader = readers.newName();
    if (!(await store.transaction((tx) => insertRun(tx, run, reader)))) throw alreadyStarted();
    return { ...(await this.look(run)), reader };
  }

  /** The run that asked: the one that is named, or the last one of the answer that the calls are in. */
  async #findAsked(
    owner: string,
    previous: string | undefined,
    [first]: readonly CallWord[],
  ): Promise<Run> {
    if (previous !== undefined || !first) return this.get(owner, previous ?? '');
    const { answerId = '' } = await this.#deps.approvals.get(owner, first.toolCallId);
    const asked = (await runsOfAnswer(this.#deps.store.db, owner, answerId)).at(-1);
    if (asked) return asked;
    throw responseNotFound();
  }

  #newRun(visitor: Visitor, request: RunRequest, arrival: Arrival, createdAt: number) {
    return {
      id: randomUUIDv7(),
      owner: visitor.owner,
      credential: credentialOf(visitor),
      kind: request.kind,
      bodyHash: arrival.bodyHash,
      requestKey: keyOf(arrival),
      asked: request.asked,
      stored: request.stored,
      createdAt,
    };
  }
}

/** Words that a program attributes to others are untrusted, unless an admin vouches for its key. */
function originsFor({ credential }: Visitor): Origin[] {
  const isVouchedFor = credential.kind === 'key' && credential.trusted === true;
  return isVouchedFor ? [] : [{ from: 'program' }];
}

/** Whether a call of the answer was sent, so that a repeat must not make it again. */
export function hasSent({ blocks }: Message): boolean {
  return blocks.some(
    (block) => block.type === 'tool' && !block.client && block.reach !== 'never-left',
  );
}

/** Under what a request is stored once. */
function keyOf({ requestKey, isRetry, bodyHash }: Arrival): string | undefined {
  return requestKey ?? (isRetry ? retryKey(bodyHash) : undefined);
}

/** Tells the requests of one key, sign-in or token from those of another. */
function credentialOf({ credential }: Visitor): string {
  return `${credential.kind} ${credential.id}`;
}

function keyReused(): CeriseError {
  return new CeriseError(
    'idempotency_mismatch',
    say('idempotency-reused')`This idempotency key was already used for a different request.`,
    { hint: say('idempotency-new')`Use a new Idempotency-Key for a new request.` },
  );
}

function clientGone(): CeriseError {
  return new CeriseError('cancelled', say('client-left')`The client disconnected.`);
}

function nothingToDecide(): CeriseError {
  return new CeriseError(
    'invalid_request',
    say('response-asked-nothing')`This response isn't waiting for an approval.`,
  );
}
