import type { ErrorCode } from '../errors/errors.ts';
import type { Logger } from './ports.ts';

/** How often something was said in the log since the start, and when last (milliseconds since 1970). */
export interface TroubleCount {
  code: ErrorCode;
  count: number;
  lastAt: number;
}

/** Counts the warnings and errors of the log by the code of what went wrong: what is logged is counted. */
export class Troubles {
  readonly #counts = new Map<ErrorCode, TroubleCount>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The same logger, whose lines are counted. */
  counting(logger: Logger): Logger {
    const counted = (level: 'warn' | 'error') => (fields: object, message: string) => {
      const code = codeOf(fields);
      if (code) this.#count(code);
      logger[level](fields, message);
    };
    return {
      debug: (fields, message) => logger.debug(fields, message),
      info: (fields, message) => logger.info(fields, message),
      warn: counted('warn'),
      error: counted('error'),
    };
  }

  list(): TroubleCount[] {
    return [...this.#counts.values()].map((count) => ({ ...count }));
  }

  /** Whether there was such trouble within the last `time` milliseconds, or ever. */
  wasSeen(code: ErrorCode, time = Infinity): boolean {
    const known = this.#counts.get(code);
    return known !== undefined && this.#now() - known.lastAt <= time;
  }

  #count(code: ErrorCode): void {
    const count = (this.#counts.get(code)?.count ?? 0) + 1;
    this.#counts.set(code, { code, count, lastAt: this.#now() });
  }
}

/** Errors are logged as their fields, or as the field `error`. */
function codeOf(fields: object): ErrorCode | undefined {
  const { code, error } = fields as { code?: unknown; error?: { code?: unknown } };
  const found = code ?? error?.code;
  return typeof found === 'string' ? (found as ErrorCode) : undefined;
}
