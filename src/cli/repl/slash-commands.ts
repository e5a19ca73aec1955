import { writeFile } from 'node:fs/promises';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import { tell } from '../messages/tell.ts';
import { stateWords } from '../printing/print.ts';
import { contentText } from '../terminal/content-text.ts';
import type { Io } from '../terminal/io.ts';
import { openBrowser } from '../terminal/open-browser.ts';
import { terminalLine, terminalText } from '../terminal/terminal-text.ts';
import { widthOf } from '../terminal/text-width.ts';
import type { ChatSession } from './chat-session.ts';

/** What a command works with. */
export interface CommandPlace {
  io: Io;
  session: ChatSession;
  /** Shows a whole text, page by page. */
  page: (text: string) => Promise<void>;
  /** Aborted when the person stops what the command does. */
  signal: AbortSignal;
  /** The conversations that were listed last, by their numbers. */
  listed: Topic[];
}

export interface SlashCommand {
  name: string;
  args: string;
  does: Sentence;
  /** True ends the session. */
  run(place: CommandPlace, argument: string): Promise<boolean | void>;
}

const maxListed = 20;

/** What can be typed instead of a message. */
export const slashCommands: readonly SlashCommand[] = [
  {
    name: 'help',
    args: '',
    does: say('cli-slash-help')`Show commands and keys`,
    run: async ({ io }) => void io.stdout.write(helpText()),
  },
  {
    name: 'new',
    args: '',
    does: say('cli-slash-new')`Start a new chat`,
    run: async ({ io, session }) => {
      session.startAnew();
      io.stdout.write(`${tell(say('cli-new-chat')`New chat.`)}\n`);
    },
  },
  {
    name: 'model',
    args: '[MODEL]',
    does: say('cli-slash-model')`Choose a model, or list the models`,
    run: chooseModel,
  },
  {
    name: 'chats',
    args: '[WORDS]',
    does: say('cli-slash-chats')`List recent chats, or search them`,
    run: listTopics,
  },
  {
    name: 'resume',
    args: 'NUMBER',
    does: say('cli-slash-resume')`Continue a listed chat, even while its answer is running`,
    run: resumeTopic,
  },
  {
    name: 'retry',
    args: '',
    does: say('cli-slash-retry')`Get another answer to the last question`,
    run: async ({ session, signal }) => {
      if (!(await session.retry(signal))) throw noAnswer();
    },
  },
  {
    name: 'result',
    args: '',
    does: say('cli-slash-result')`Show the full result of the last tool call`,
    run: showResult,
  },
  {
    name: 'servers',
    args: '',
    does: say('cli-slash-servers')`List MCP servers`,
    run: listServers,
  },
  {
    name: 'export',
    args: '[FILE]',
    does: say('cli-slash-export')`Print this chat as Markdown, or save it to a file`,
    run: exportTopic,
  },
  {
    name: 'open',
    args: '',
    does: say('cli-slash-open')`Open the web app in the browser`,
    run: openPage,
  },
  {
    name: 'quit',
    args: '',
    does: say('cli-slash-quit')`Quit (also Ctrl-D)`,
    run: async () => true,
  },
];

function helpText(): string {
  const rows = slashCommands.map(({ name, args, does }): [string, string] => [
    `/${name} ${args}`.trimEnd(),
    tell(does),
  ]);
  const keys: [string, Sentence][] = [
    ['/SERVER:PROMPT', say('cli-key-prompt')`Use a server prompt`],
    ['@FILE', say('cli-key-file')`Attach a file`],
    ['@SERVER:URI', say('cli-key-resource')`Attach a server resource`],
    ['Tab', say('cli-key-tab')`Complete a command, prompt, model, file or resource`],
    ['Alt-Enter', say('cli-key-line')`New line (also Ctrl-J, or \\ at the end of a line)`],
    ['↑ ↓', say('cli-key-history')`Earlier messages`],
    ['Ctrl-C', say('cli-key-stop')`Stop the answer, or clear the line`],
  ];
  return columns([...rows, ...keys.map(([key, does]): [string, string] => [key, tell(does)])]);
}

async function chooseModel({ io, session }: CommandPlace, name: string): Promise<void> {
  const { models, defaultModel } = await session.client.settings.models();
  const offered = models.filter(({ hidden }) => !hidden);
  if (name !== '') {
    const wanted = offered.filter(({ id }) => id === name || id.endsWith(`/${name}`));
    const [model] = wanted;
    if (!model || wanted.length > 1)
      throw new CeriseError(
        'model_not_found',
        say('cli-no-model')`There is no model "${name}". To list the models, enter /model.`,
      );
    session.model = model.id;
    io.stdout.write(`${tell(say('cli-uses-model')`Using ${model.id}.`)}\n`);
    return;
  }
  const current = session.model ?? session.lastAnswer?.model ?? defaultModel;
  io.stdout.write(
    columns(
      offered.map(({ id, name: title }): [string, string] => [
        `${id === current ? '●' : '○'} ${terminalLine(id)}`,
        terminalLine(title),
      ]),
    ),
  );
}

async function listTopics(place: CommandPlace, words: string): Promise<void> {
  const { io, session } = place;
  const { topics } = await session.client.topics.list({ limit: 200 });
  if (words === '') place.listed = topics.slice(0, maxListed);
  else {
    const { hits } = await session.client.topics.search(words, AbortSignal.timeout(30_000));
    const ids = new Set(hits.map(({ topicId }) => topicId));
    const known = new Map(topics.map((topic) => [topic.id, topic]));
    place.listed = [...ids].flatMap((id) => known.get(id) ?? []).slice(0, maxListed);
  }
  if (place.listed.length === 0) {
    io.stdout.write(`${tell(say('cli-no-chats')`No chats.`)}\n`);
    return;
  }
  const rows = place.listed.map((topic, at): [string, string] => [
    `${at + 1}`.padStart(2),
    `${terminalLine(topic.title)}${topic.isLoading ? ` (${tell(say('cli-chat-running')`running`)})` : ''}`,
  ]);
  io.stdout.write(columns(rows));
  io.stdout.write(
    `${tell(say('cli-resume-hint')`To continue one, enter /resume and its number.`)}\n`,
  );
}

async function resumeTopic(
  { io, session, listed, signal }: CommandPlace,
  which: string,
): Promise<void> {
  const topic =
    listed[Number(which) - 1] ?? (which === '' ? undefined : { id: which, title: which });
  if (!topic)
    throw new CeriseError(
      'invalid_request',
      say('cli-which-chat')`Enter /chats to list the chats, then /resume and a number.`,
    );
  io.stdout.write(`${terminalLine(topic.title)}\n\n`);
  await session.resume(topic, signal);
}

async function showResult({ session, page }: CommandPlace): Promise<void> {
  const tool = session.lastAnswer?.blocks.findLast((block) => block.type === 'tool');
  if (tool?.type !== 'tool' || !tool.result)
    throw new CeriseError('not_found', say('cli-no-result')`There is no tool result yet.`);
  const parts: string[] = [];
  for (const part of tool.result.content) {
    const stored = 'stored' in part ? part.stored : undefined;
    if (part.type === 'text' && stored)
      parts.push(await session.client.files.text(stored.id, AbortSignal.timeout(60_000)));
    else parts.push(part.type === 'text' ? part.text : contentText(part));
  }
  await page(terminalText(parts.join('\n')));
}

async function listServers({ io, session }: CommandPlace): Promise<void> {
  const { servers } = await session.client.servers.list();
  io.stdout.write(
    columns(
      servers.map(({ name, state }): [string, string] => [terminalLine(name), stateWords(state)]),
    ),
  );
}

async function exportTopic({ session, io, page }: CommandPlace, file: string): Promise<void> {
  const text = await session.exported();
  if (text === undefined) throw noAnswer();
  if (file === '') return page(terminalText(text));
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (cause) {
    throw new CeriseError(
      'invalid_request',
      say('cli-cannot-save')`Can't save ${file}. It may exist already.`,
      { cause },
    );
  }
  io.stdout.write(`${tell(say('cli-saved-to')`Saved to ${file}.`)}\n`);
}

async function openPage({ io, session }: CommandPlace): Promise<void> {
  const { url } = session.client;
  if (url === undefined)
    throw new CeriseError(
      'not_found',
      say(
        'cli-no-page',
      )`The web app isn't running: its port is in use. To choose another, set CERISE_PORT.`,
    );
  const link = await session.client.people.signInLink().catch(() => ({ url }));
  if (!openBrowser(link.url, io)) io.stdout.write(`${link.url}\n`);
}

function noAnswer(): CeriseError {
  return new CeriseError(
    'not_found',
    say('cli-no-answer-yet')`There is no answer in this chat yet.`,
  );
}

/** Two columns. */
function columns(rows: [string, string][]): string {
  const width = Math.max(0, ...rows.map(([left]) => widthOf(left))) + 2;
  return rows
    .map(([left, right]) => `  ${left}${' '.repeat(width - widthOf(left))}${right}`.trimEnd())
    .join('\n')
    .concat('\n');
}
