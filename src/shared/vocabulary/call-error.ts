import { CeriseError, type ErrorCode, hintOf, messageOf } from '../errors/errors.ts';
import type { Words } from '../errors/sentence.ts';
import type { CallReach } from './tool.ts';

type Options = ConstructorParameters<typeof CeriseError>[2];

/**
 * Why a request to a server came to nothing, and how far it came. Only code that knows that nothing was
 * carried out says `never-left`: such a request may be sent again.
 */
export class CallError extends CeriseError {
  readonly reach: CallReach;

  constructor(reach: CallReach, code: ErrorCode, message: Words, options?: Options) {
    super(code, message, options);
    this.reach = reach;
  }

  /** The same failure, with how far the request came. */
  static of(error: CeriseError, reach: CallReach): CallError {
    if (error instanceof CallError && error.reach === reach) return error;
    const { code, details, cause } = error;
    return new CallError(reach, code, messageOf(error), { hint: hintOf(error), details, cause });
  }
}
