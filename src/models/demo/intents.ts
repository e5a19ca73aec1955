import { expressionOf, file } from './arithmetic.ts';
import { type Intent, type Kind, kinds, skills } from './skills.ts';
import { zoneOf } from './zones.ts';

/** What is longer is no question the script knows, and would only take time. */
export const maxChars = 600;

/** Intents with the words that they were read from. */
type Reading = [start: number, length: number, intents: Intent[]];

/**
 * What a message asks for, in the order of the question, in English or Chinese. Pure. Empty when
 * nothing was recognised.
 */
export function findIntents(message: string): Intent[] {
  const text = message.slice(0, maxChars);
  const taken: Reading[] = [];
  const english = kinds.flatMap((kind) => readEnglish(kind, text));
  for (const reading of [...english, ...readChinese(text), readFollowUp(text)]) {
    const [from, length, { length: count }] = reading;
    const isFree = taken.every(([start, size]) => start + size <= from || from + length <= start);
    if (isFree && count > 0) taken.push(reading);
  }
  return taken.toSorted(([a], [b]) => a - b).flatMap(([, , intents]) => intents);
}

function readEnglish(kind: Kind, text: string): Reading[] {
  const matches = [...text.matchAll(skills[kind].en ?? never)];
  return matches.map((match) => [match.index, match[0].trimEnd().length, read(kind, match)]);
}

/** A clause of a Chinese message is of the first kind that understands it. */
function readChinese(text: string): Reading[] {
  return [...text.matchAll(clause)].map(({ 0: words, index }) => {
    const intents = kinds.values().flatMap((kind) => {
      const [match] = words.matchAll(skills[kind].zh ?? never);
      return match ? [read(kind, match)].filter((all) => all.length > 0) : [];
    });
    return [index, words.length, /\p{Script=Han}/u.test(words) ? (intents.next().value ?? []) : []];
  });
}

const never = /(?!)/gu;
const clause = /(?:(?!然后|并且|另外|还有(?!哪|什么)|同时)[^，。？！；,?!;\n])+/gu;
const followUp =
  /^\s*(?:(?:and|but|what about|how about|and what about|same for)\s+)+(?:(?:in|for|at|the|of)\s+)*(.{1,80}?)[\s?.!]*$|^\s*(?:那么?|还有|然后)?\s*(.{1,40}?)呢[？?。!！\s]*$/iu;

/** A message that only makes sense after another: “and in Paris?”, “那巴黎呢？”. */
function readFollowUp(text: string): Reading {
  const [, english, chinese = ''] = followUp.exec(text) ?? [];
  const subjects = splitList(english ?? chinese);
  return [0, text.length, subjects.map((subject) => ({ kind: 'again', subject }))];
}

/** “A, B and C” or “甲、乙和丙” as its members. */
function splitList(text: string): string[] {
  const parts = text.split(/,\s*and\s+|,|\band\s+|[、，和与跟]|以及/u);
  return parts.map((part) => part.trim()).filter(Boolean);
}

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
    case 'time':
      return placesOf(match).map((place) => ({ kind, place }));
    case 'list':
      return [{ kind, path: folderIn(match[0]) }];
    case 'calculate':
      return [expressionOf(match) ?? []].flat().map((expression) => ({ kind, expression }));
    default:
      return [intent];
  }
}

const ordinals = 'first second third fourth fifth sixth seventh eighth'.split(' ');

function positionOf(word: string): number {
  if (word === '' || word === 'last') return -1;
  const position = Math.max(ordinals.indexOf(word), '一二三四五六七八九十'.indexOf(word));
  return position < 0 ? Number.parseInt(word, 10) - 1 : position;
}

const readVerb =
  /^.*?(?:读取|阅读|读|打开|看看|查看|看|显示|总结|告诉我)(?:一下|下)?(?:文件)?\s*|^\s*(?:请|帮我|文件)+/u;

/** The files of a clause, without the Chinese verb that may stand directly before the first. */
function pathsIn(clause: string): string[] {
  const files = clause.replace(readVerb, '').matchAll(new RegExp(file, 'gu'));
  return [...files].flatMap(([match]) => splitList(match));
}

const nextPlace =
  /^\s*(?:,\s*and|,|and)\s+(?:in\s+)?(\p{L}[\p{L}'’-]*(?:\s\p{L}[\p{L}'’-]*){0,2}?)(?=\s*(?:[,?.!;]|$)|\s+and\b)/u;
const timeNoise =
  /请问|请|告诉我|帮我|帮忙|查一下|查询|查|看看|现在|当前|此刻|目前|那边|那里|当地|时间|几点|点钟|钟|什么|时候|多少|一下|[的是了呢啊吗在\s]/gu;

/** “… in Tokyo, Paris and New York”: the places of a question for the time; undefined is here. */
function placesOf({ 0: words, groups, index, input }: RegExpExecArray): (string | undefined)[] {
  if (!groups) {
    const names = splitList(words).map((part) => part.replaceAll(timeNoise, ''));
    const places = names.filter(Boolean);
    return places.length === 0 || places.some(({ length }) => length > 20) ? [undefined] : places;
  }
  const places = [groups['place']?.trim()];
  let rest = places[0] ? input.slice(index + words.length) : '';
  for (let match = nextPlace.exec(rest); match; match = nextPlace.exec(rest)) {
    const [all, place = ''] = match;
    if (!/^\p{Lu}\S*(?:\s\p{Lu}\S*)*$/u.test(place) && zoneOf(place) === undefined) break;
    places.push(place);
    rest = rest.slice(all.length);
  }
  return places;
}

const folderName =
  /([\w./-]+)(?:["”」]?\s*(?:这个)?(?:目录|文件夹)|\s+(?:folder|directory)\b)|\b(?:in|of|inside|under|from)\s+(?:the\s+|my\s+)?(?:folder\s+|directory\s+)?["'`]?([\w./-]+)/iu;
const noFolder = /^(?:workspace|the|my|this|here|there|it|folder|directory|that|list|show)$/i;

function folderIn(clause: string): string {
  const [, before, after = '.'] = folderName.exec(clause) ?? [];
  const path = before ?? after;
  return noFolder.test(path) ? '.' : path;
}
