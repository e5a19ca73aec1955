import type { JsonObject } from '#shared/json.ts';
import type { CallLimits } from '../call-limits.ts';
import type { StopSignal } from '../stop.ts';
import { readInputRequests } from './server-requests.ts';

/** How a request is carried through all its rounds. */
export interface Rounds {
  /** `last` is sent even though the call was aborted. */
  send(method: string, params: JsonObject, last?: boolean): Promise<unknown>;
  /** Answers one request of the server. */
  answer(method: string, params: JsonObject): Promise<JsonObject>;
  /** Told what a task is doing. */
  onStatus?: (message: string) => void;
  signal?: StopSignal;
  limits: CallLimits;
  /** An old server: its results are complete, but for the tasks we asked for. */
  legacy?: boolean;
}

/** Answers everything a result or a task asks for, by the server's keys. */
export async function answerAll(requests: unknown, rounds: Rounds): Promise<JsonObject> {
  const answers = await Promise.all(
    readInputRequests(requests).map(async ([key, { method, params }]) => {
      const answer = await rounds.answer(method, params);
      return [key, answer] as const;
    }),
  );
  return Object.fromEntries(answers);
}
