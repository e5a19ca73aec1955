import { pino } from 'pino';
import type { Logger } from '#shared/ports.ts';

const secretKeys = ['apiKey', 'authorization', 'cookie', 'password', 'secret', 'token', 'key'];

/** Structured lines on standard error. Fields that name secrets are redacted at any shallow depth. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      redact: {
        paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
        censor: '•••',
      },
    },
    pino.destination(2),
  );
}
