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
import { completePath } from './mentions.ts';
import { PlainInput } from './plain-input.ts';
import type { CommandPlace, SlashCommand } from './slash-commands.ts';

export interface ReplOptions {
  model?: string | undefined;
  topic?: string | undefined;
}

/** What is loaded while the person types the first line. */
interface Loaded {
  place: CommandPlace;
  commands: readonly SlashCommand[];
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
        });
  const tellFailure = (error: unknown) => {
    if (!(error instanceof CeriseError)) throw error;
    const words = terminalLine(tellError(error));
    io.stdout.write(`${painterFor(io.stdout)(words, ['error'])}\n`);
  };
  io.stdout.write(`${tell(say('cli-repl-title')`Cerise. Enter a message, or /help.`)}\n`);
  input.open();
  terminal.around({ before: () => input.close(), after: () => input.open() });
  const loading = load(settings, options, { io, terminal });
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
      const stopped = new AbortController();
      input.onInterrupt(() => stopped.abort());
      try {
        history.push(text);
        await writeHistory(settings.home, history);
        const { place, commands } = await loading;
        place.signal = stopped.signal;
        if (await enter(text.trim(), place, commands)) return 0;
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

async function load(
  settings: CliSettings,
  { model, topic }: ReplOptions,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<Loaded> {
  const [{ openHost }, { ChatSession }, { slashCommands }, { followInputs }] = await Promise.all([
    import('../client/open-host.ts'),
    import('./chat-session.ts'),
    import('./slash-commands.ts'),
    import('../client/follow-inputs.ts'),
  ]);
  const client = await openHost(settings, io);
  const session: ChatSession = new ChatSession(client, { io, terminal });
  session.topicId = topic;
  session.model = model;
  const inputs = followInputs(
    client,
    { io, terminal },
    ({ topicId }) => topicId === session.topicId,
  );
  const page = async (text: string) => {
    await terminal.dialogue((dialogue) => dialogue.show(text));
  };
  return {
    place: { io, session, page, listed: [], signal: new AbortController().signal },
    commands: slashCommands,
    close: async () => {
      inputs.close();
      await client.close();
    },
  };
}

/** Carries out a command, or sends a message. True ends the session. */
async function enter(
  text: string,
  place: CommandPlace,
  commands: readonly SlashCommand[],
): Promise<boolean> {
  const [, name = '', argument = ''] = /^\/([a-z]+)(?:\s+([^]*))?$/.exec(text) ?? [];
  const command = commands.find((each) => each.name === name);
  if (command) return (await command.run(place, argument.trim())) === true;
  await place.session.send(text, place.signal);
  return false;
}

async function complete(draft: Draft, loaded: Loaded | undefined): Promise<Completion | undefined> {
  const typed = draft.text.slice(0, draft.cursor);
  if (/^\/[a-z]*$/.test(typed)) {
    const names = (loaded?.commands ?? []).map(({ name }) => `/${name}`);
    return { from: 0, values: names.filter((name) => name.startsWith(typed)) };
  }
  const model = /^\/model\s+(\S*)$/.exec(typed)?.[1];
  if (model === undefined || !loaded) return completePath(draft);
  const { models } = await loaded.place.session.client.settings.models();
  const ids = models.filter(({ hidden, id }) => !hidden && id.startsWith(model));
  return { from: typed.length - model.length, values: ids.map(({ id }) => id) };
}
