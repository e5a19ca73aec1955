import { isWithin } from '#shared/async/clock.ts';
import type { CeriseError, ErrorCode } from '#shared/errors/errors.ts';

const firstPauseMs = 1000;
const maxPauseMs = 60_000;
const healthyAfterMs = 60_000;
const crashWindowMs = 5 * 60_000;
const mostCrashes = 5;

/** What follows a failure. */
export type Step =
  | { state: 'reconnecting'; pause: number }
  | { state: 'needs-auth' }
  /** `crashes` is there if the server was given up because it ends again and again. */
  | { state: 'failed'; crashes?: number };

/** Trying again cannot help: a person has to change something first. */
const hopeless: ReadonlySet<ErrorCode> = new Set([
  'command_not_found',
  'missing_variable',
  'sandbox_missing',
  'invalid_server',
  'invalid_bundle',
  'server_not_found',
  'address_blocked',
  'protocol_error',
  'internal',
  'wrong_key',
  'data_unreadable',
  'cancelled',
]);
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/** Decides when a server that failed is tried again. Keeps only times, asks nobody. */
export class RestartPolicy {
  readonly #random: () => number;
  #crashes: number[] = [];
  #failures = 0;
  #connectedAt: number | undefined;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  connected(now: number): void {
    this.#connectedAt = now;
  }

  /** `crashed`: a process of ours ended by itself. */
  failed(error: CeriseError, crashed: boolean, now: number): Step {
    if (this.#connectedAt !== undefined && !isWithin(this.#connectedAt, healthyAfterMs, now))
      this.#failures = 0;
    this.#connectedAt = undefined;
    if (needsSignIn(error)) return { state: 'needs-auth' };
    if (isHopeless(error)) return { state: 'failed' };
    if (crashed) {
      this.#crashes = [...this.#crashes.filter((at) => isWithin(at, crashWindowMs, now)), now];
      if (this.#crashes.length >= mostCrashes)
        return { state: 'failed', crashes: this.#crashes.length };
    }
    const pause = Math.min(maxPauseMs, firstPauseMs * 2 ** this.#failures);
    this.#failures += 1;
    // A quarter either way, so that many clients of one server do not come back at one moment.
    return { state: 'reconnecting', pause: Math.round(pause * (0.75 + this.#random() / 2)) };
  }

  /** A person asked for a new start. */
  reset(): void {
    this.#crashes = [];
    this.#failures = 0;
    this.#connectedAt = undefined;
  }
}

/** A sign-in that went wrong needs a person too, unless the authorization server was only in trouble. */
function needsSignIn(error: CeriseError): boolean {
  if (error.code === 'sign_in_required' || statusOf(error) === 401) return true;
  if (error.code !== 'sign_in_failed') return false;
  const { status } = (error.details ?? {}) as { status?: number };
  return status === undefined || (status < 500 && !passing.has(status));
}

function isHopeless(error: CeriseError): boolean {
  const { final } = (error.details ?? {}) as { final?: boolean };
  if (final || hopeless.has(error.code)) return true;
  const status = statusOf(error);
  return status !== undefined && status >= 400 && status < 500 && !passing.has(status);
}

function statusOf({ code, details }: CeriseError): number | undefined {
  if (code !== 'http_error') return undefined;
  return (details as { status?: number } | undefined)?.status;
}
