import { randomUUIDv7 } from 'node:crypto';
import type { CallAsker, CallQuestion, QuestionMethod } from '#chat/calls/asker.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { canAnswer, type McpClient } from './client.ts';
import { invalid } from './methods.ts';

const maxAnswers = 100;

/** A question for a program. */
export type ForwardedQuestion = Pick<CallQuestion, 'method' | 'params' | 'serverName'>;

/** A question as the program gets it; if there are several servers, it names the one that asks. */
export function presentQuestion(
  { method, params, serverName }: ForwardedQuestion,
  isAlone: boolean,
): { method: string; params: JsonObject } {
  if (method !== 'elicitation/create' || isAlone || serverName === '') return { method, params };
  const { message } = params;
  const text = typeof message === 'string' ? message : '';
  return { method, params: { ...params, message: `${serverName}: ${text}` } };
}

/** How a request ended: with its result, or with questions that the program's next request answers. */
export type Round = { result: JsonObject } | { asked: Map<string, ForwardedQuestion> };

/**
 * A request of the modern revision over all its rounds: further requests answer what a server asks. Questions wait here
 * in the meantime; those of a call are also rows, from which any process can continue.
 */
export class McpExchange implements CallAsker {
  readonly #client: McpClient;
  readonly #given = new Map<string, JsonObject>();
  readonly #open = new Map<string, CallQuestion>();
  #coming = 0;
  #outcome: { result: JsonObject } | { error: unknown } | undefined;
  /** Everyone who waits for something new: a program may repeat a request. */
  readonly #waiting = new Set<() => void>();

  constructor(client: McpClient) {
    this.#client = client;
  }

  can(method: QuestionMethod, params: JsonObject): boolean {
    return canAnswer(this.#client, method, params);
  }

  coming(): (question?: CallQuestion) => void {
    this.#coming += 1;
    let isHere = false;
    return (question) => {
      if (isHere) return;
      isHere = true;
      this.#coming -= 1;
      if (question) this.#add(question);
      else this.#look();
    };
  }

  /** Starts the work; call it once. */
  run(work: Promise<JsonObject>): void {
    work.then(
      (result) => this.#end({ result }),
      (error: unknown) => this.#end({ error }),
    );
  }

  /** Takes the answers in a request. Throws for invalid ones; their questions stay open. */
  async give(responses: unknown): Promise<void> {
    if (responses === undefined) return;
    if (!isJsonObject(responses)) throw invalid('inputResponses');
    const entries = Object.entries(responses);
    if (entries.length > maxAnswers || !entries.every(([, each]) => isJsonObject(each)))
      throw invalid('inputResponses');
    // Early answers of an earlier request do not pile up.
    this.#given.clear();
    for (const [key, answer] of entries as [string, JsonObject][]) {
      const question = this.#open.get(key);
      if (!question) this.#given.set(key, answer);
      else if (!question.over.aborted) await this.#answer(key, question, answer);
    }
  }

  /** How the work ended; undefined while it runs. */
  get outcome(): { result: JsonObject } | { error: unknown } | undefined {
    return this.#outcome;
  }

  /** The questions that are open right now. */
  get asked(): ReadonlyMap<string, CallQuestion> {
    return this.#open;
  }

  /** Resolves with the result, or when the server has asked all that it asks at once. */
  async next(): Promise<Round> {
    for (;;) {
      if (this.#outcome) {
        if ('error' in this.#outcome) throw this.#outcome.error;
        return this.#outcome;
      }
      if (this.#coming === 0 && this.#open.size > 0) return { asked: new Map(this.#open) };
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
    }
  }

  #add(question: CallQuestion): void {
    const { key: own } = question;
    const key = own !== undefined && !this.#open.has(own) ? own : randomUUIDv7();
    const given = this.#given.get(key);
    this.#given.delete(key);
    this.#open.set(key, question);
    question.over.addEventListener('abort', () => this.#close(key, question), { once: true });
    if (!given) return this.#look();
    // An early answer that is invalid is ignored, so the question stays open.
    this.#coming += 1;
    this.#answer(key, question, given)
      .catch(() => undefined)
      .finally(() => {
        this.#coming -= 1;
        this.#look();
      });
  }

  async #answer(key: string, question: CallQuestion, answer: JsonObject): Promise<void> {
    await question.answer(answer);
    this.#close(key, question);
  }

  #close(key: string, question: CallQuestion): void {
    if (this.#open.get(key) === question) this.#open.delete(key);
    this.#look();
  }

  #end(outcome: { result: JsonObject } | { error: unknown }): void {
    this.#outcome = outcome;
    this.#look();
  }

  #look(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
