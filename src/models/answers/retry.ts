import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import type { RetryReason } from '#shared/vocabulary/chunk.ts';
import type { ModelErrorDetails } from '../failures/model-errors.ts';
import { emptyAnswer } from './endings.ts';

/** How often a request is made at most. */
export const maxTries = 3;
const maxWaitMs = 60_000;
const firstWaitMs = 500;
/** Asking again cannot help: the name does not exist or the certificate is not trusted. */
const lastingReasons =
  /^(ENOTFOUND|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_INVALID_URL)/;

/** The same request may well be answered the next time. */
const passingReasons: ReadonlySet<string> = new Set([emptyAnswer, 'MALFORMED_FUNCTION_CALL']);

/** How long to wait before try number `tries + 1`; undefined when it should not be made. */
export function retryDelay(error: ErrorInfo, tries: number): number | undefined {
  if (tries >= maxTries || !isPassing(error)) return undefined;
  const { retryAfter } = (error.details ?? {}) as ModelErrorDetails;
  const delay = retryAfter === undefined ? firstWaitMs * 2 ** (tries - 1) : retryAfter * 1000;
  return delay <= maxWaitMs ? delay : undefined;
}

/** What to call the failure that a request is made again for. */
export function retryReason(error: ErrorInfo): RetryReason {
  const { status, reason = '' } = (error.details ?? {}) as ModelErrorDetails;
  if (error.code === 'model_rate_limited') return 'rate_limited';
  if (error.code === 'model_unreachable') return 'unreachable';
  if (reason === emptyAnswer) return 'empty';
  return status === 529 || status === 503 || /overload/i.test(reason) ? 'overloaded' : 'failed';
}

/** Waits unless the signal says to stop; never throws. */
export async function waitForRetry(delay: number, signal: AbortSignal): Promise<void> {
  await sleep(delay, undefined, { signal }).catch(() => undefined);
}

function isPassing(error: ErrorInfo): boolean {
  const { status, reason } = (error.details ?? {}) as ModelErrorDetails;
  if (error.code === 'model_rate_limited') return true;
  if (error.code === 'model_unreachable') return !lastingReasons.test(reason ?? '');
  if (error.code !== 'model_failed') return false;
  return status === undefined
    ? reason !== undefined && passingReasons.has(reason)
    : status >= 500 || status === 408;
}
