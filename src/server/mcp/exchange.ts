import { randomUUIDv7 } from 'node:crypto';
import type { CallAsker, CallQuestion, QuestionMethod } from '#chat/calls/asker.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { canAnswer, type McpClient } from './client.ts';
import { invalid } from './methods.ts';

const maxAnswers = 100;

/** What a program is asked. */
export type ForwardedQuestion = Pick<CallQuestion, 'method' | 'params' | 'serverName'>;

/** A question as the program is asked it: among several servers it is said which one asks. */
export function presentQuestion(
  { method, params, serverName }: ForwardedQuestion,
  isAlone: boolean,
): { method: string; params: JsonObject } {
  if (method !== 'elicitation/create' || isAlone || serverName === '') return { method, params };
  const { message } = params;
  const text = typeof message === 'string' ? message : '';
  return { method, params: { ...params, message: `${serverName}: ${text}` } };
}

/** What a request came to: its result, or questions that the next request of the program answers. */
export type Round = { result: JsonObject } | { asked: Map<string, ForwardedQuestion> };

/**
 * A request of the modern revision over all its rounds: what a server asks is answered by further requests.
 * Questions wait here in the meantime; what waits of a call is also a row, which any process can go on with.
 */
export class McpExchange implements CallAsker {
  readonly #client: McpClient;
  readonly #given = new Map<string, JsonObject>();
  readonly #open = new Map<string, CallQuestion>();
  #coming = 0;
  #outcome: { result: JsonObject } | { error: unknown } | undefined;
  /** Whoever waits for something new; a program may repeat a request. */
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

  /** Its work; to be called once. */
  run(work: Promise<JsonObject>): void {
    work.then(
      (result) => this.#end({ result }),
      (error: unknown) => this.#end({ error }),
    );
  }

  /** Takes the answers that a request brings. Throws for those that do not fit; their questions stay open. */
  async give(responses: unknown): Promise<void> {
    if (responses === undefined) return;
    if (!isJsonObject(responses)) throw invalid('inputResponses');
    const entries = Object.entries(responses);
    if (entries.length > maxAnswers || !entries.every(([, each]) => isJsonObject(each)))
      throw invalid('inputResponses');
    // What an earlier request brought too early does not pile up.
    this.#given.clear();
    for (const [key, answer] of entries as [string, JsonObject][]) {
      const question = this.#open.get(key);
      if (!question) this.#given.set(key, answer);
      else if (!question.over.aborted) await this.#answer(key, question, answer);
    }
  }

  /** What it came to; undefined while it goes on. */
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
    // What came before it was asked, and does not fit, is asked for.
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
