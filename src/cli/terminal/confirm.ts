import { say, type Sentence } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';
import type { Io } from './io.ts';
import { isYes, openTerminal } from './terminal.ts';

/**
 * Shows all of a text, then asks: only a plain yes typed after the question counts. `yes` says it beforehand; without
 * that and without a terminal the answer is no.
 */
export async function confirm(
  io: Io,
  { what, question, yes }: { what: string; question: Sentence; yes: boolean },
): Promise<boolean> {
  const terminal = openTerminal(io);
  if (yes || !terminal.interactive) terminal.write(`${what}\n`);
  if (yes) return true;
  if (!terminal.interactive) {
    terminal.write(
      `${tell(say('cli-not-confirmed')`Nothing was done, because this isn't an interactive terminal. Use --yes to confirm.`)}\n`,
    );
    return false;
  }
  const answer = await terminal.dialogue(async (dialogue) => {
    if (!(await dialogue.show(what))) return undefined;
    return dialogue.decision(tell(question));
  });
  return isYes(answer);
}
