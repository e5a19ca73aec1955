import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';

/** What a server may ask whoever made a call, in the words of MCP. */
export type QuestionMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** A question of a server in the middle of a call. */
export interface CallQuestion {
  /** The server's own name for it, where it gave one. */
  key?: string | undefined;
  serverName: string;
  method: QuestionMethod;
  params: JsonObject;
  /** Takes an answer as MCP writes it. Throws CeriseError for one that does not fit: the question stays open. */
  answer(result: JsonObject): Promise<void>;
  /** The caller will not answer. */
  refuse(): Promise<void>;
  /** Aborted once the question is answered, here or in Cerise, or nobody wants an answer. */
  over: AbortSignal;
}

/** A caller that can answer questions itself: a program that speaks MCP. */
export interface CallAsker {
  /** False: a person is asked in Cerise. */
  can(method: QuestionMethod, params: JsonObject): boolean;
  /** A question is coming: those of one round begin in the same tick. Call the result with it, or without if there is none after all. */
  coming(): (question?: CallQuestion) => void;
}

/** Gives a question to the caller and resolves with the answer; undefined where the caller cannot be asked it. */
export function askCaller(
  asker: CallAsker | undefined,
  question: Pick<CallQuestion, 'key' | 'serverName' | 'method' | 'params'>,
  signal: AbortSignal,
): Promise<JsonObject> | undefined {
  if (!asker?.can(question.method, question.params)) return undefined;
  const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
  const over = new AbortController();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  const answer = async (result: JsonObject) => resolve(result);
  const refuse = async () => reject(refused());
  asker.coming()({ ...question, answer, refuse, over: over.signal });
  return promise.finally(() => {
    signal.removeEventListener('abort', giveUp);
    over.abort();
  });
}

function refused(): CeriseError {
  return new CeriseError(
    'denied',
    say('caller-refused')`The program refused the server's request.`,
  );
}
