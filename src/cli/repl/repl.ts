import { setImmediate } from 'node:timers/promises';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { tell, tellError } from '../messages/tell.ts';
import { painterFor } from '../printing/painter.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import type { ChatSession } from './chat-session.ts';
import type { Draft } from './draft.ts';
import { readHistory, writeHistory } from './history-file.ts';
import { type Completion, type Input, LineInput } from './line-input.ts';
import { completeMention } from './mentions.ts';
import { PlainInput } from './plain-input.ts';
import { offeredPrompts } from './server-offers.ts';
import type { CommandPlace, SlashCommand } from './slash-commands.ts';
import { usePrompt } from './use-prompt.ts';

export interface ReplOptions {
  model?: string | undefined;
  topic?: string | undefined;
}

/** What is loaded while the person types the first line. */
interface Loaded {
  place: CommandPlace;
  commands: readonly SlashCommand[];
  /** Opens the host again where it has gone, as that of another terminal does. */
  goOn(): Promise<void>;
  close(): Promise<void>;
}

/** `cerise` in a terminal: a chat that goes on until it is left. The prompt is there before the host is. */
export async function repl(settings: CliSettings, options: ReplOptions, io: Io): Promise<number> {
  const history = await readHistory(settings.home);
  const terminal = openTerminal(io);
  let loaded: Loaded | undefined;
  const input: Input =
    io.env['TERM'] === 'dumb'
      ? new PlainInput(io, terminal)
      : new LineInput(io.stdin, io.stdout, {
          prompt: '> ',
          history,
          complete: (draft) => complete(draft, loaded),
          leaveHint: tell(say('cli-leave-hint')`Press Ctrl-C again to quit.`),
          suspend: io.suspend,
        });
  const tellFailure = (error: unknown) => {
    if (!(error instanceof CeriseError)) throw error;
    const words = terminalLine(tellError(error));
    io.stdout.write(`${painterFor(io.stdout)(words, ['error'])}\n`);
  };
  io.stdout.write(`${tell(say('cli-repl-title')`Cerise. Enter a message, or /help.`)}\n`);
  input.open();
  terminal.around({ before: () => input.close(), after: () => input.open() });
  let stopped = new AbortController();
  terminal.onInterrupt = () => stopped.abort();
  const loading = afterKeys().then(() => load(settings, options, { io, terminal }));
  loading.then(
    (result) => {
      loaded = result;
      const { url } = result.place.session.client;
      if (url) input.tell(tell(say('cli-page-at')`Web app: ${url} (to open it, enter /open)`));
    },
    () => undefined,
  );
  try {
    for (;;) {
      const text = await input.read();
      if (text === undefined) return 0;
      if (text.trim() === '') continue;
      stopped = new AbortController();
      input.onInterrupt(() => stopped.abort());
      try {
        history.push(text);
        await writeHistory(settings.home, history);
        const { place, commands, ...chat } = await loading;
        await chat.goOn();
        place.signal = stopped.signal;
        if (await enter(text.trim(), place, { commands, terminal })) return 0;
      } catch (error) {
        tellFailure(error);
      } finally {
        input.onInterrupt(undefined);
      }
    }
  } finally {
    input.close();
    await loading.then((result) => result.close());
  }
}

/** Keys that were pressed while the program started are shown first: loading the host holds the event loop. */
async function afterKeys(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

async function load(
  settings: CliSettings,
  { model, topic }: ReplOptions,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<Loaded> {
  const [{ openHost }, { ChatSession }, { slashCommands }] = await Promise.all([
    import('../client/open-host.ts'),
    import('./chat-session.ts'),
    import('./slash-commands.ts'),
  ]);
  const client = await openHost(settings, io);
  const session: ChatSession = new ChatSession(client, { io, terminal });
  session.topicId = topic;
  session.model = model;
  const page = async (text: string) => {
    await terminal.dialogue((dialogue) => dialogue.show(text));
  };
  return {
    place: { io, session, page, listed: [], signal: new AbortController().signal },
    commands: slashCommands,
    goOn: async () => {
      if ((await session.client.isThere?.()) !== false) return;
      session.goOnWith(await openHost(settings, io));
    },
    close: () => session.close(),
  };
}

/** Carries out a command, fills in a prompt, or sends a message. True ends the session. */
async function enter(
  text: string,
  place: CommandPlace,
  { commands, terminal }: { commands: readonly SlashCommand[]; terminal: Terminal },
): Promise<boolean> {
  const [, name = '', argument = ''] = /^\/(\S+)(?:\s+([^]*))?$/.exec(text) ?? [];
  const { session, signal } = place;
  const command = commands.find((each) => each.name === name);
  if (command) return (await command.run(place, argument.trim())) === true;
  const prompts = name.includes(':') ? await offeredPrompts(session.client) : [];
  const prompt = prompts.find((each) => each.name === name);
  if (prompt) await usePrompt(session, prompt, argument.trim(), { terminal, signal });
  else await session.send(text, signal);
  return false;
}

async function complete(draft: Draft, loaded: Loaded | undefined): Promise<Completion | undefined> {
  const typed = draft.text.slice(0, draft.cursor);
  const client = loaded?.place.session.client;
  if (/^\/\S*$/.test(typed)) {
    const names = (loaded?.commands ?? []).map(({ name }) => `/${name}`);
    const prompts = client ? (await offeredPrompts(client)).map(({ name }) => `/${name}`) : [];
    return { from: 0, values: [...names, ...prompts].filter((name) => name.startsWith(typed)) };
  }
  const model = /^\/model\s+(\S*)$/.exec(typed)?.[1];
  if (model === undefined || !client) return completeMention(draft, client);
  const { models } = await client.settings.models();
  const ids = models.filter(({ hidden, id }) => !hidden && id.startsWith(model));
  return { from: typed.length - model.length, values: ids.map(({ id }) => id) };
}
