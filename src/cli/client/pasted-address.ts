import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Visit } from './callback-listener.ts';
import { tell } from '../messages/tell.ts';

/** What tells the address of this sign-in from any other. */
interface Expected {
  state: string;
  redirectUri: string;
}

/** Reads the address a browser came back to, as the person pastes it; asks again for anything else. */
export async function readPasted(
  terminal: Terminal,
  expected: Expected,
  signal: AbortSignal,
): Promise<Visit | undefined> {
  return terminal.dialogue(async (dialogue) => {
    for (;;) {
      const text = await dialogue.question(tell(say('cli-paste')`URL: `));
      if (text === undefined) return ended(terminal, signal);
      const url = toCallbackUrl(text, expected);
      if (url !== undefined) return { url, answer: async () => undefined };
      if (text.trim() !== '')
        dialogue.write(
          `${tell(say('cli-paste-again')`That URL doesn't belong to this sign-in. Paste the whole URL.`)}\n`,
        );
    }
  }, signal);
}

/** The whole address, or only what stands behind its question mark; undefined for anything else. */
function toCallbackUrl(text: string, { state, redirectUri }: Expected): string | undefined {
  const pasted = text.trim();
  const url = URL.parse(
    pasted.includes('://') ? pasted : `${redirectUri}?${pasted.replace(/^\?/, '')}`,
  );
  return url?.searchParams.get('state') === state ? url.href : undefined;
}

/** A person at a terminal gave up; without one the input held no address. */
function ended({ interactive }: Terminal, signal: AbortSignal): undefined {
  if (interactive || signal.aborted) return undefined;
  throw new CeriseError(
    'sign_in_failed',
    say('cli-paste-none')`The input ended without a sign-in URL.`,
    {
      hint: say(
        'cli-paste-none-hint',
      )`Pass the URL your browser was redirected to on standard input.`,
    },
  );
}
