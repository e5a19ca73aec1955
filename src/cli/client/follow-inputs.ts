import type { Client } from '#client/client.ts';
import { readHostEvents } from '#client/stream/read-events.ts';
import type { InputView } from '#shared/api/input-api.ts';
import { CeriseError, wordsOf } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { askInput, declined } from '../terminal/ask-input.ts';
import type { Io } from '../terminal/io.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { tell, tellError } from '../messages/tell.ts';

/** Follows what servers ask, until closed. */
export interface FollowedInputs {
  /** Asks what was asked before, which has become ours. */
  catchUp(): void;
  close(): void;
}

/** Asks the person at the terminal whatever servers ask and `isOurs` says is theirs. */
export function followInputs(
  client: Client,
  { io, terminal }: { io: Io; terminal: Terminal },
  isOurs: (input: InputView) => boolean,
): FollowedInputs {
  const end = new AbortController();
  const asked = new Map<string, AbortController>();
  const follow = async (): Promise<void> => {
    for await (const event of readHostEvents(client.connection, end.signal)) {
      if (event.type === 'input-answered') asked.get(event.inputId)?.abort();
      if (event.type === 'input-requested') await ask(({ id }) => id === event.inputId);
    }
  };
  const ask = async (isWanted: (input: InputView) => boolean): Promise<void> => {
    const { inputs } = await client.inputs.list();
    for (const input of inputs) {
      if (!isWanted(input) || asked.has(input.id) || !isOurs(input)) continue;
      const over = new AbortController();
      asked.set(input.id, over);
      const signal = AbortSignal.any([over.signal, end.signal]);
      answer(client, { io, terminal }, input, signal).catch(report);
    }
  };
  const report = (error: unknown): void => {
    if (end.signal.aborted) return;
    terminal.write(`${terminalLine(tell(wordsOf(error)))}\n`);
  };
  follow().catch(report);
  return {
    catchUp: () => void ask(() => true).catch(report),
    close: () => end.abort(),
  };
}

async function answer(
  client: Client,
  { io, terminal }: { io: Io; terminal: Terminal },
  input: InputView,
  signal: AbortSignal,
): Promise<void> {
  const said = terminal.interactive
    ? await terminal.dialogue((dialogue) => askInput(dialogue, input, show(io, terminal)), signal)
    : declined(input);
  if (signal.aborted)
    return terminal.write(`\n${tell(say('cli-no-longer-asked')`This request is closed.`)}\n`);
  if (!terminal.interactive) {
    const what =
      input.kind === 'sampling' ? say('cli-use-a-model')`use a model` : terminalLine(input.message);
    const server = terminalLine(input.serverName);
    terminal.write(
      `${tell(say('cli-declined')`Declined, because this isn't an interactive terminal. ${server} asked: ${what}`)}\n`,
    );
  }
  try {
    await client.inputs.answer(input.id, said);
  } catch (error) {
    // Somebody else was faster, or the call ended while the person typed.
    if (!(error instanceof CeriseError) || error.code !== 'already_decided') throw error;
    if (said.action === 'cancel') return;
    await terminal.dialogue(async (dialogue) => dialogue.write(`${tellError(error)}\n`));
  }
}

function show(io: Io, terminal: Terminal): (url: string) => void {
  return (url) => {
    if (!openBrowser(url, io))
      terminal.write(`${tell(say('cli-open-it')`Open it in your browser.`)}\n`);
  };
}
