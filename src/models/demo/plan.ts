import type { Context, Intent, Kind, PastCall, PlannedCall, Turn } from './context.ts';
import { findIntents } from './intents.ts';
import { dataOf, entriesOf, itemsOf, sizeOf, textOf } from './results.ts';
import { aboutOf } from './show.ts';
import { callFor } from './tools.ts';

const maxSizes = 8;
/** How many questions back one may refer to. */
const maxTurns = 20;

const there = /\bthere\b|那里|那边/i;

/** The intents of the last question, made whole from those before: “and in Paris?”, “the time there?”. */
export function resolveIntents(turns: Turn[]): Intent[] {
  const last = turns.at(-1)?.question ?? '';
  const isWhole = !there.test(last) && findIntents(last).every(({ kind }) => kind !== 'again');
  let intents: Intent[] = [];
  let place: string | undefined;
  for (const { question } of turns.slice(isWhole ? -1 : -maxTurns)) {
    const before = intents;
    intents = findIntents(question).flatMap((intent) => {
      if (intent.kind === 'again') return askAgain(before, intent.subject ?? '');
      const isThere = intent.kind === 'time' && place && there.test(question);
      return [isThere ? { ...intent, place } : intent];
    });
    place = intents.find((intent) => intent.place)?.place ?? place;
  }
  return intents;
}

/** What was asked before, about something else. Only a file can stand in the place of a file. */
function askAgain(before: Intent[], subject: string): Intent[] {
  const path = subject.replace(/\s+(?:folder|directory)$|(?:目录|文件夹)$/i, '');
  const isFile = /\.\w{1,8}$/.test(subject);
  const again = before.flatMap(({ kind }): Intent[] => {
    if (kind === 'time') return [{ kind, place: subject }];
    if (kind === 'search') return [{ kind, query: subject }];
    if (kind === 'recall') return [{ kind, about: subject }];
    if (kind === 'list') return [{ kind, path }];
    return isFile && (kind === 'read' || kind === 'pick') ? [{ kind: 'read', path }] : [];
  });
  return again.slice(0, 1);
}

/** What to call next, in the order of the intents, and the intents for which there is no tool. */
export function planRound(intents: Intent[], context: Context) {
  const calls = new Map<string, PlannedCall>();
  const missing = intents.filter((intent) => {
    const next = nextCalls(intent, context);
    for (const call of next ?? []) calls.set(JSON.stringify(call), call);
    return next === undefined;
  });
  return { calls: [...calls.values()], missing };
}

/** Nothing when all that was needed is there; undefined without a tool. */
function nextCalls(intent: Intent, context: Context): PlannedCall[] | undefined {
  const { turn, tools } = context;
  const isFirst = turn.rounds === 0;
  switch (intent.kind) {
    case 'history':
    case 'help':
    case 'again':
      return [];
    case 'pick':
      return callsToPick(intent, context);
    case 'size':
      return callsToMeasure(context);
    case 'append':
      return isFirst ? callFor(intent, tools, 'read') : callsToAppend(intent, context);
    case 'remember':
      return isFirst ? callFor(intent, tools) : callsToObserve(intent, context);
    case 'rank':
      return isFirst ? callFor(intent, tools, 'read') : [];
    default:
      return isFirst ? callFor(intent, tools) : [];
  }
}

const hasCalled = ({ turn }: Context, kind: Kind) => turn.calls.some((call) => call.kind === kind);

function callsToPick({ position = 0 }: Intent, context: Context): PlannedCall[] | undefined {
  if (hasCalled(context, 'read')) return [];
  const files = listedFiles(context);
  if (!files) return callsToList(context);
  const path = files.at(position)?.path;
  return path === undefined ? [] : callFor({ kind: 'read', path }, context.tools);
}

function callsToList({ turn, tools }: Context): PlannedCall[] | undefined {
  return turn.rounds > 0 ? [] : callFor({ kind: 'list', path: '.' }, tools);
}

/** Sizes come with the listing, or else from asking about each file. */
function callsToMeasure(context: Context): PlannedCall[] | undefined {
  const files = listedFiles(context);
  if (!files) return callsToList(context);
  if (files.every(({ size }) => size !== undefined) || hasCalled(context, 'info')) return [];
  const first = files.slice(0, maxSizes);
  return first.flatMap(({ path }) => callFor({ kind: 'info', path }, context.tools) ?? []);
}

/** The file was read before, so that the line is written like those in it. */
function callsToAppend({ path, line }: Intent, context: Context): PlannedCall[] | undefined {
  const { turn, tools } = context;
  const { result } = turn.calls.find(({ kind }) => kind === 'read') ?? {};
  if (hasCalled(context, 'write') || !result || result.isError) return [];
  const lines = textOf(result).split('\n').filter(Boolean);
  const [mark = ''] = /^\s*[-*]\s+(?:\[ \]\s+)?/.exec(lines.at(-1) ?? '') ?? [];
  const text = [...lines, `${mark}${line}`, ''].join('\n');
  return callFor({ kind: 'write', path, text }, tools);
}

/** Where the entity was known already nothing was created, so the fact is added to it. */
function callsToObserve(intent: Intent, context: Context): PlannedCall[] {
  const { result } = context.turn.calls.find(({ kind }) => kind === 'remember') ?? {};
  const isKnown = dataOf(result) !== undefined && itemsOf(result).length === 0;
  if (!isKnown || result?.isError || hasCalled(context, 'observe')) return [];
  return callFor(intent, context.tools, 'observe') ?? [];
}

/** The files of the last listing in the conversation, with the sizes that were told since. */
export function listedFiles({ turns }: Context) {
  const calls = turns.flatMap((turn) => turn.calls);
  const isListing = ({ kind, result }: PastCall) => kind === 'list' && entriesOf(result).length > 0;
  const at = calls.findLastIndex(isListing);
  const listing = calls[at];
  if (!listing) return undefined;
  const folder = aboutOf(listing).replace(/\/$/, '');
  const isWhole = (name: string) =>
    /^\.?$/.test(folder) || name.startsWith('/') || name.startsWith(`${folder}/`);
  const sizes = calls.slice(at).filter(({ kind }) => kind === 'info');
  return entriesOf(listing.result)
    .filter(({ isFolder }) => !isFolder)
    .map(({ name, size }) => {
      const path = isWhole(name) ? name : `${folder}/${name}`;
      return { path, size: size ?? sizeOf(sizes.find((call) => aboutOf(call) === path)?.result) };
    });
}
