import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import type { CallLimits } from './call-limits.ts';
import { readInputRequests } from './server-requests.ts';
import type { StopSignal } from './stop.ts';

/** How a request is carried through all its rounds. */
export interface Rounds {
  /** `last` is sent even though the call was aborted. */
  send(method: string, params: JsonObject, last?: boolean): Promise<unknown>;
  /** Answers one request of the server; `question` names it in the whole request, where that can wait. */
  answer(method: string, params: JsonObject, question?: string): Promise<JsonObject>;
  /** Told what a task is doing. */
  onStatus?: ((message: string) => void) | undefined;
  signal?: StopSignal | undefined;
  limits: CallLimits;
  /** An old server: its results are complete, but for the tasks we asked for. */
  legacy?: boolean;
}

/**
 * What a request waits for. Plain JSON, so that another process can go on with it: `input` for answers
 * that the next round brings, `task` for a task that its server works on.
 */
export type Wait =
  | { kind: 'input'; round: number; inputRequests?: Json; requestState?: string }
  | {
      kind: 'task';
      taskId: string;
      /** Milliseconds, as the server wishes. */
      poll?: number;
      /** When it began, for the time it may take. */
      since: number;
      /** How long the server keeps it. */
      ttl?: number;
      /** A task of 2025-11-25. */
      legacy: boolean;
    };

/** How far one exchange brought a request: to its result, or to something it waits for. */
export type Step<T = JsonObject> = { result: T } | { wait: Wait; task?: JsonObject };

/** How often a request may ask for input. */
export const maxRounds = 10;

/** Keys of different rounds may be the same, so questions are named by their round too. */
function questionName(round: number | 'task', key: string): string {
  return `${round}/${key}`;
}

/** Every name that a question with this key can have. */
export function questionNames(key: string): string[] {
  const rounds = Array.from({ length: maxRounds }, (_, before) => before + 1);
  return [...rounds, 'task' as const].map((round) => questionName(round, key));
}

/** Answers everything a result or a task asks for, by the server's keys. */
export async function answerAll(
  requests: unknown,
  round: number | 'task',
  { answer: answerOne }: Pick<Rounds, 'answer'>,
): Promise<JsonObject> {
  const answers = await Promise.all(
    readInputRequests(requests).map(async ([key, { method, params }]) => {
      const answer = await answerOne(method, params, questionName(round, key));
      return [key, answer] as const;
    }),
  );
  return Object.fromEntries(answers);
}
