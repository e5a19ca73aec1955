import { createHash } from 'node:crypto';
import { isWithin } from '#shared/async/clock.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { signInFailed } from './ask.ts';
import type { AuthFacts, Tokens } from './records.ts';

/** The server an error is about. */
interface Subject {
  serverId: string;
  host: string;
}

const maxRefusals = 3;
const refusalMemoryMs = 10 * 60_000;
const maxKept = 20;

/** What follows from a refusal for want of scopes. */
export interface StepUpVerdict {
  /** The refused token had been asked for with all of these scopes. */
  had: boolean;
  /** What to ask for: the new scopes on top of the old. */
  scope: string[];
  /** Tokens refused lately all the same, this one included. */
  refused: AuthFacts['refused'];
  /** Asking once more would not help. */
  isFinal: boolean;
}

/** Judges a refusal for want of scopes. A token counts once, however many requests it was refused for. */
export function judgeStepUp(refusal: {
  facts: AuthFacts;
  wanted: string[];
  tokens: Tokens;
  now: number;
}): StepUpVerdict {
  const { facts, wanted, tokens, now } = refusal;
  const before = tokens.requestedScope ?? [];
  const had = wanted.every((name) => before.includes(name));
  const key = wanted.toSorted().join(' ');
  const token = createHash('sha256').update(tokens.accessToken).digest('base64url');
  const refused = facts.refused.filter(({ at }) => isWithin(at, refusalMemoryMs, now));
  if (had && !refused.some((entry) => entry.token === token)) {
    refused.push({ scope: key, token, at: now });
  }
  const times = refused.filter(({ scope }) => scope === key).length;
  return {
    had,
    scope: [...new Set([...before, ...wanted])],
    refused: refused.slice(-maxKept),
    isFinal: had && times >= maxRefusals,
  };
}

/** Only a person can go on from here. */
export function signInRequired(
  { serverId, host }: Subject,
  scope: readonly string[] = [],
  cause?: unknown,
): CeriseError {
  const message =
    scope.length === 0
      ? say('auth-sign-in')`${host} requires you to sign in.`
      : say('auth-sign-in-for')`${host} requires you to sign in. It requests: ${scope.join(', ')}.`;
  return new CeriseError('sign_in_required', message, {
    hint: say(
      'auth-sign-in-hint',
    )`Sign in to this server and try again. If it needs an API key, set it as a header.`,
    details: { serverId, ...(scope.length > 0 && { scope }) },
    cause,
  });
}

/** The server is not content with what it asked for. */
export function scopeRefused({ serverId, host }: Subject, scope: readonly string[]): CeriseError {
  const asked = scope.length === 0 ? say('auth-more-rights')`more permissions` : scope.join(', ');
  return signInFailed(
    say('auth-asks-again')`${host} requests ${asked} again, although it was already granted.`,
    {
      hint: say(
        'auth-asks-again-hint',
      )`Your account may not have permission. Contact the server's owner.`,
      details: { serverId, scope },
    },
  );
}

/** The server does not accept what its own authorization server gives out. */
export function refusedAtOnce({ serverId, host }: Subject): CeriseError {
  return signInFailed(
    say('auth-token-refused')`${host} rejected a token that was just issued for it.`,
    {
      hint: say(
        'auth-token-refused-hint',
      )`The server and its authorization server don't agree. Contact the server's owner.`,
      details: { serverId },
    },
  );
}
