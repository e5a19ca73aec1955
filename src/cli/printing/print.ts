import { styleText } from 'node:util';
import type { ServerView } from '#shared/api/api.ts';
import type { ServerState } from '#shared/vocabulary/server.ts';
import type { Io } from '../terminal/io.ts';
import { terminalLine } from '../terminal/terminal-text.ts';
import { widthOf } from '../terminal/text-width.ts';
import { say, type Sentence, toWords } from '#shared/errors/sentence.ts';
import { tell } from '../messages/tell.ts';

const widest = 60;

/** Not in JSON as it is written, or not to be seen: written as escapes, the value stays the same. */
const unseen = /[[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n]]/gv;

/** The API's answer as it is, without a character that acts on the terminal or hides in it. */
export function printJson({ stdout }: Io, value: unknown): void {
  stdout.write(`${JSON.stringify(value, null, 2).replaceAll(unseen, escape)}\n`);
}

export function printLine({ stdout }: Io, text: string): void {
  stdout.write(`${text}\n`);
}

/** Rows in columns; what is too long is cut, except in the last one. */
export function printTable(io: Io, titles: Sentence[], rows: string[][]): void {
  const head = titles.map((title) => tell(title));
  const cells = rows.map((row) => row.map(terminalLine));
  const widths = head.map((title, column) => {
    const all = cells.map((row) => widthOf(row[column] ?? ''));
    return Math.min(widest, Math.max(widthOf(title), ...all));
  });
  const toLine = (row: string[]) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : pad(cell, widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  if (rows.length === 0) return printLine(io, dim(io, tell(say('cli-none')`None`)));
  printLine(io, dim(io, toLine(head)));
  for (const row of cells) printLine(io, toLine(row));
}

export function dim({ stdout }: Io, text: string): string {
  return styleText('dim', text, { stream: stdout });
}

export function bold({ stdout }: Io, text: string): string {
  return styleText('bold', text, { stream: stdout });
}

/** A state as people read it. */
export function stateWords(state: ServerState): string {
  return tell(states[state]);
}

const states: Record<ServerState, Sentence> = {
  connected: say('cli-connected')`connected`,
  failed: say('cli-failed')`failed`,
  'needs-auth': say('cli-needs-auth')`needs sign-in`,
  draft: say('cli-draft')`needs approval`,
  reconnecting: say('cli-reconnecting')`reconnecting`,
  installing: say('cli-installing')`installing`,
  connecting: say('cli-connecting')`connecting`,
  idle: say('cli-idle')`on demand`,
  disabled: say('cli-disabled')`disabled`,
};

/** The heads of columns. */
export const heads = {
  name: say('cli-head-name')`NAME`,
  state: say('cli-head-state')`STATE`,
  type: say('cli-head-type')`TYPE`,
  place: say('cli-head-place')`AVAILABLE IN`,
  target: say('cli-head-target')`TARGET`,
  reason: say('cli-head-reason')`REASON`,
  transport: say('cli-head-transport')`TRANSPORT`,
  protocol: say('cli-head-protocol')`PROTOCOL`,
  next: say('cli-head-next')`NEXT STEP`,
  tool: say('cli-head-tool')`TOOL`,
  enabled: say('cli-head-enabled')`ENABLED`,
  description: say('cli-head-description')`DESCRIPTION`,
  prompt: say('cli-head-prompt')`PROMPT`,
  arguments: say('cli-head-arguments')`ARGUMENTS`,
  uri: say('cli-head-uri')`URI`,
  id: say('cli-head-id')`ID`,
  updated: say('cli-head-updated')`UPDATED`,
  title: say('cli-head-title')`TITLE`,
  match: say('cli-head-match')`MATCH`,
  model: say('cli-head-model')`MODEL`,
  provider: say('cli-head-provider')`PROVIDER`,
  context: say('cli-head-context')`CONTEXT`,
  setting: say('cli-head-setting')`SETTING`,
  source: say('cli-head-source')`SOURCE`,
  value: say('cli-head-value')`VALUE`,
  skill: say('cli-head-skill')`SKILL`,
  version: say('cli-head-version')`VERSION`,
  registry: say('cli-head-registry')`REGISTRY`,
  servers: say('cli-head-servers')`SERVERS`,
  fetched: say('cli-head-fetched')`AGE`,
  user: say('cli-head-user')`USER`,
  difference: say('cli-head-difference')`DIFFERENCE`,
  recorded: say('cli-head-recorded')`RECORDED`,
  replayed: say('cli-head-replayed')`REPLAYED`,
  call: say('cli-head-call')`CALL`,
  result: say('cli-head-result')`RESULT`,
  time: say('cli-head-time')`TIME`,
};

/** A state in its colour. */
export function colouredState({ stdout }: Io, state: ServerState): string {
  const colours = {
    connected: 'green',
    failed: 'red',
    'needs-auth': 'yellow',
    draft: 'yellow',
    reconnecting: 'yellow',
    installing: 'cyan',
    connecting: 'cyan',
    idle: 'dim',
    disabled: 'dim',
  } as const;
  return styleText(colours[state], stateWords(state), { stream: stdout });
}

/** A server's state on one line, with its reason. */
export function printState(io: Io, server: ServerView): void {
  const why = reasonText(server);
  const text = why === '' ? '' : `. ${terminalLine(why)}`;
  printLine(io, `${terminalLine(server.name)}: ${colouredState(io, server.state)}${text}`);
}

/** Why a server is in its state; of an installation, how long it takes and what it does. */
export function reasonText(
  server: Pick<ServerView, 'state' | 'reason' | 'reasonSaid' | 'since' | 'output'>,
): string {
  const { state, reason = '', reasonSaid, since, output = '' } = server;
  if (state !== 'installing') return tell(toWords(reason, reasonSaid));
  return tell(say('cli-installing-for')`${span(Date.now() - since)}: ${output}`);
}

/** A time span as people say it. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return tell(say('cli-seconds')`${seconds} s`);
  if (seconds < 7200) return tell(say('cli-minutes')`${Math.round(seconds / 60)} min`);
  return tell(say('cli-hours')`${Math.round(seconds / 3600)} h`);
}

function escape(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** A label with spaces up to a width of the screen. */
export function padded(label: string, width: number): string {
  return label + ' '.repeat(Math.max(0, width - widthOf(label)));
}

function pad(text: string, width: number): string {
  let kept = '';
  for (const character of text) {
    if (widthOf(kept) + widthOf(character) > width - 1 && widthOf(text) > width) {
      kept += '…';
      break;
    }
    kept += character;
  }
  return padded(kept, width);
}
