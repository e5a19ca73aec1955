import type { DemoContext } from './context.ts';
import type { Turn } from './history.ts';
import { findIntents } from './intents.ts';
import type { Intent } from './intent.ts';
import { entriesOf, sizeOf, stringOf } from './results.ts';
import { kindOf } from './tool-match.ts';

/** A file that an earlier listing showed. */
export interface ListedFile {
  path: string;
  size: number | undefined;
}

/** The intents of the present question, with “and in Paris?” made whole from the turn before. */
export function resolveIntents(context: Pick<DemoContext, 'turns' | 'turn'>): Intent[] {
  const { turns, turn } = context;
  return intentsOf(turns, turns.indexOf(turn));
}

function intentsOf(turns: Turn[], index: number): Intent[] {
  const question = turns[index]?.question ?? '';
  const intents = findIntents(question).map((intent) =>
    intent.kind === 'time' && /\bthere\b|那里|那边/i.test(question)
      ? { ...intent, place: lastPlace(turns, index) ?? intent.place }
      : intent,
  );
  if (!intents.some(({ kind }) => kind === 'again')) return intents;
  const before = index > 0 ? intentsOf(turns, index - 1) : [];
  return intents.flatMap((intent) => {
    if (intent.kind !== 'again') return [intent];
    const model = before.find((candidate) => takes(candidate, intent.subject));
    return model ? [about(model, intent.subject)] : [];
  });
}

/** The place that was spoken of before: “what time is it there?” means that one. */
function lastPlace(turns: Turn[], index: number): string | undefined {
  for (let at = index - 1; at >= 0; at -= 1) {
    const earlier = intentsOf(turns, at).find(({ kind }) => kind === 'time');
    if (earlier?.kind === 'time' && earlier.place) return earlier.place;
  }
  return undefined;
}

/** Whether the subject of a follow-up can stand where the earlier question had its own. */
function takes(intent: Intent, subject: string): boolean {
  const isFile = /\.\w{1,8}$/.test(subject);
  if (intent.kind === 'read' || intent.kind === 'pick') return isFile;
  return (
    intent.kind === 'time' ||
    intent.kind === 'search' ||
    intent.kind === 'list' ||
    intent.kind === 'recall'
  );
}

function about(intent: Intent, subject: string): Intent {
  switch (intent.kind) {
    case 'time':
      return { kind: 'time', place: subject };
    case 'search':
      return { kind: 'search', query: subject };
    case 'list':
      return {
        kind: 'list',
        path: subject.replace(/\s+(?:folder|directory)$|(?:目录|文件夹)$/i, ''),
      };
    case 'recall':
      return { kind: 'recall', about: subject };
    default:
      return { kind: 'read', path: subject };
  }
}

/** The files of the last listing in the conversation, with the sizes known since. */
export function latestListing({ turns, tools }: DemoContext): { files: ListedFile[] } | undefined {
  const calls = turns.flatMap((turn) => turn.calls);
  const index = calls.findLastIndex(
    (call) => kindOf(call.toolName, tools) === 'list' && entriesOf(call.result).length > 0,
  );
  const listing = calls[index];
  if (!listing) return undefined;
  const folder = Object.values(listing.arguments).find((value) => typeof value === 'string') ?? '.';
  const sizes = new Map(
    calls.slice(index).flatMap((call) => {
      const size = kindOf(call.toolName, tools) === 'info' ? sizeOf(call.result) : undefined;
      return size === undefined ? [] : [[stringOf(Object.values(call.arguments)[0]), size]];
    }),
  );
  const files = entriesOf(listing.result)
    .filter((entry) => !entry.folder)
    .map((entry) => {
      const path = joinPath(folder, entry.name);
      return { path, size: entry.size ?? sizes.get(path) };
    });
  return { files };
}

function joinPath(folder: string, name: string): string {
  return folder === '.' || folder === '' || name.startsWith('/') || name.startsWith(`${folder}/`)
    ? name
    : `${folder.replace(/\/$/, '')}/${name}`;
}
