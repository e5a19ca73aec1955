import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';

/** The same for a call that never existed, was removed, or is not the visitor's. */
export function callNotFound(): CeriseError {
  return new CeriseError('tool_call_not_found', say('call-gone')`This call doesn't exist.`);
}
