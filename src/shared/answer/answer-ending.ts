import type { ErrorInfo } from '../errors/errors.ts';
import { isJsonObject } from '../vocabulary/json.ts';
import type { Message } from '../vocabulary/message.ts';
import { clientCalls } from './client-calls.ts';

/** Why an answer ended, in our words. */
export type Ending =
  | 'stop'
  | 'tool-calls'
  | 'length'
  | 'content-filter'
  /** All of the text says that the model declined. */
  | 'refusal'
  | 'cancelled'
  | 'error';

/** How an answer that is over ended. */
export function endingOf(message: Message): Ending {
  if (message.status === 'stopped') return 'cancelled';
  if (message.status === 'error') return 'error';
  const { blocks } = message;
  const last = blocks.findLast(({ type }) => type !== 'citation');
  if (last?.type === 'error' && last.error.code === 'model_length') return 'length';
  if (last?.type === 'error' && last.error.code === 'model_refused')
    return isRefusal(last.error) ? 'refusal' : 'content-filter';
  return clientCalls(message).length > 0 ? 'tool-calls' : 'stop';
}

function isRefusal({ details }: ErrorInfo): boolean {
  return isJsonObject(details) && details['reason'] === 'refusal';
}

/** Why an answer failed; undefined if it did not. */
export function failureOf({ status, blocks }: Message): ErrorInfo | undefined {
  if (status !== 'error') return undefined;
  const last = blocks.findLast((block) => block.type === 'error');
  return last?.error ?? { code: 'internal', message: 'The answer failed.' };
}
