import { hash } from 'node:crypto';
import { questionNames } from '#mcp/protocol/round-trip.ts';

/** The id of a question in a call that can wait: the same in every process that asks it. */
export function questionId(callId: string, name: string): string {
  return hash('sha256', `${callId} ${name}`, 'base64url');
}

/** The ids that a question can have which its server names by this key. */
export function questionIds(callId: string, key: string): string[] {
  return questionNames(key).map((name) => questionId(callId, name));
}
