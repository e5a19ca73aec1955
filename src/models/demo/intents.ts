import { findExpressions } from './arithmetic.ts';
import type { Intent, Kind } from './context.ts';
import { file, kinds, skills } from './skills.ts';
import { zoneOf } from './zones.ts';

/** What is longer is no question the script knows, and would only take time. */
const maxLength = 2_000;

/** Intents with the place of the words they were read from. */
interface Reading {
  start: number;
  end: number;
  intents: Intent[];
}

/**
 * What a message asks for, in the order of the question, in English or Chinese. Pure. Empty when
 * nothing was recognised.
 */
export function findIntents(message: string): Intent[] {
  const text = message.slice(0, maxLength);
  const taken: Reading[] = [];
  for (const reading of [
    ...kinds.flatMap((kind) => findKind(kind, text)),
    ...readChinese(text),
    ...readFollowUp(text),
  ]) {
    const isFree = taken.every(({ start, end }) => end <= reading.start || reading.end <= start);
    if (isFree && reading.intents.length > 0) taken.push(reading);
  }
  return taken.toSorted((a, b) => a.start - b.start).flatMap(({ intents }) => intents);
}

function findKind(kind: Kind, text: string): Reading[] {
  if (kind === 'calculate')
    return findExpressions(text).map(({ start, end, expression }) => ({
      start,
      end,
      intents: [{ kind, expression }],
    }));
  const { en } = skills[kind];
  return en ? [...text.matchAll(en)].map((match) => toReading(match, read(kind, match))) : [];
}

/** A clause of a Chinese message is of the first kind that understands it. */
function readChinese(text: string): Reading[] {
  const clauses = text.matchAll(
    /(?:(?!然后|并且|另外|还有(?!哪|什么)|同时)[^，。？！；,?!;\n])+/gu,
  );
  return [...clauses].map((clause) => {
    if (!/\p{Script=Han}/u.test(clause[0])) return toReading(clause, []);
    for (const kind of kinds) {
      const [match] = clause[0].matchAll(skills[kind].zh ?? /$^/g);
      const intents = match ? read(kind, match) : [];
      if (intents.length > 0) return toReading(clause, intents);
    }
    return toReading(clause, []);
  });
}

/** A message that only makes sense after another: “and in Paris?”, “那巴黎呢？”. */
function readFollowUp(text: string): Reading[] {
  const match =
    /^\s*(?:(?:and|but|what about|how about|and what about|same for)\s+)+(?:(?:in|for|at|the|of)\s+)*(.{1,80}?)[\s?.!]*$/i.exec(
      text,
    ) ?? /^\s*(?:那么?|还有|然后)?\s*(.{1,40}?)呢[？?。!！\s]*$/u.exec(text);
  return match
    ? [
        toReading(
          match,
          splitList(match[1] ?? '').map((subject) => ({ kind: 'again', subject })),
        ),
      ]
    : [];
}

function toReading(match: RegExpExecArray, intents: Intent[]): Reading {
  return { start: match.index, end: match.index + match[0].length, intents };
}

/** “A, B and C” or “甲、乙和丙” as its members. */
function splitList(text: string): string[] {
  return text
    .split(/,\s*and\s+|,|\band\s+|[、，和与跟]|以及/u)
    .map((part) => part.trim())
    .filter(Boolean);
}

const ordinals = 'first second third fourth fifth sixth seventh eighth'.split(' ');

/** The intents of a match. */
function read(kind: Kind, match: RegExpExecArray): Intent[] {
  const { word = '', ...groups } = match.groups ?? {};
  const details = Object.entries(groups).map(([name, value]) => [name, value?.trim() || undefined]);
  const intent: Intent = { kind, ...Object.fromEntries(details) };
  switch (kind) {
    case 'append':
      return [{ ...intent, path: intent.path ?? `notes/${word.toLowerCase() || 'shopping'}.txt` }];
    case 'rank':
      return [{ ...intent, most: /^(?:most|largest|highest|longest|biggest)$/i.test(word) }];
    case 'pick':
      return [{ kind, position: positionOf(word.toLowerCase()) }];
    case 'size':
      return [{ kind, smallest: /^s|[小短]/i.test(word) }];
    case 'read':
      return pathsIn(match[0]).map((path) => ({ kind, path }));
    case 'time': {
      const places = match.groups ? englishPlaces(match) : chinesePlaces(match[0]);
      return places.length > 0 ? places.map((place) => ({ kind, place })) : [{ kind }];
    }
    case 'list':
      return [{ kind, path: folderIn(match[0]) }];
    default:
      return [intent];
  }
}

function positionOf(word: string): number {
  if (word === '' || word === 'last') return -1;
  const position = Math.max(ordinals.indexOf(word), '一二三四五六七八九十'.indexOf(word));
  return position < 0 ? Number.parseInt(word, 10) - 1 : position;
}

/** The files of a clause, without the Chinese verb that may stand directly before the first. */
function pathsIn(clause: string): string[] {
  const verb = /^.*?(?:读取|阅读|读|打开|看看|查看|看|显示|总结|告诉我)(?:一下|下)?(?:文件)?\s*/u;
  const rest = clause.replace(verb, '').replace(/^\s*(?:请|帮我|文件)+/u, '');
  return [...rest.matchAll(new RegExp(file, 'gu'))].flatMap(([match]) => splitList(match));
}

const nextPlace =
  /^\s*(?:,\s*and|,|and)\s+(?:in\s+)?(\p{L}[\p{L}'’-]*(?:\s\p{L}[\p{L}'’-]*){0,2}?)(?=\s*(?:[,?.!;]|$)|\s+and\b)/u;

/** “… in Tokyo, Paris and New York”: the first place and the names that go on after it. */
function englishPlaces({ 0: { length }, groups, index, input }: RegExpExecArray): string[] {
  const places = groups?.['place'] ? [groups['place'].trim()] : [];
  let rest = places.length > 0 ? input.slice(index + length) : '';
  for (let match = nextPlace.exec(rest); match; match = nextPlace.exec(rest)) {
    const place = match[1] ?? '';
    if (!/^\p{Lu}\S*(?:\s\p{Lu}\S*)*$/u.test(place) && zoneOf(place) === undefined) break;
    places.push(place);
    rest = rest.slice(match[0].length);
  }
  return places;
}

const timeNoise =
  /请问|请|告诉我|帮我|帮忙|查一下|查询|查|看看|现在|当前|此刻|目前|那边|那里|当地|时间|几点|点钟|钟|什么|时候|多少|一下|[的是了呢啊吗在\s]/gu;

function chinesePlaces(clause: string): string[] {
  const places = splitList(clause)
    .map((part) => part.replaceAll(timeNoise, ''))
    .filter(Boolean);
  return places.some((place) => place.length > 20) ? [] : places;
}

function folderIn(clause: string): string {
  const [, path = '.'] =
    /([\w./-]+)(?:["”」]?\s*(?:这个)?(?:目录|文件夹)|\s+(?:folder|directory)\b)/iu.exec(clause) ??
    /\b(?:in|of|inside|under|from)\s+(?:the\s+|my\s+)?(?:folder\s+|directory\s+)?["'`]?([\w./-]+)/i.exec(
      clause,
    ) ??
    [];
  return /^(?:workspace|the|my|this|here|there|it|folder|directory|that|list|show)$/i.test(path)
    ? '.'
    : path;
}
