import { findExpressions } from './arithmetic.ts';
import { findChineseIntents } from './intents-chinese.ts';
import { filePattern, splitList, type Found, type Intent } from './intent.ts';
import { zoneOf } from './zones.ts';

/** What is longer is no question the script knows, and would only take time. */
const maxLength = 2_000;

/**
 * What a message asks for, in the order of the question, in English or Chinese. Pure. Empty when
 * nothing was recognised.
 */
export function findIntents(message: string): Intent[] {
  const text = message.slice(0, maxLength);
  const taken: Found[] = [];
  for (const find of [...finders, findChineseIntents]) {
    for (const found of find(text)) {
      if (!taken.some((other) => overlap(other, found))) taken.push(found);
    }
  }
  if (taken.length === 0) return findFollowUp(text);
  return taken.toSorted((a, b) => a.start - b.start).flatMap(({ intents }) => intents);
}

const overlap = (a: Found, b: Found) => a.start < b.end && b.start < a.end;

const quote = '["\'`“”]?';

/** The end of a clause: punctuation, a conjunction or the end of the message. */
const clauseEnd = String.raw`(?=\s*(?:[,?.!;，。？！；\n]|$)|\s+(?:and|then|also|plus|now|right now|today|please)\b)`;

/** Earlier finders win where two see the same words. */
const finders: ((text: string) => Found[])[] = [
  findUrls,
  findWrites,
  findAppends,
  findRanks,
  findRecalls,
  findRemembers,
  findHistoryAndHelp,
  findPicks,
  findSizes,
  findReads,
  findTimes,
  findLists,
  findExpressions,
  findSearches,
  findMedia,
];

function findUrls(text: string): Found[] {
  return scan(text, /https?:\/\/[^\s"'<>`，。；！？）】]+/g, ([match]) => {
    const url = match.replace(/[.,;:!?)\]]+$/, '');
    return URL.canParse(url) ? [{ kind: 'fetch', url }] : [];
  });
}

function findWrites(text: string): Found[] {
  const quoted = new RegExp(
    String.raw`\b(?:write|save|put)\s+["“](.+?)["”]\s+(?:to|into|in)\s+(?:(?:a|the|new|file|called|named)\s+)*${quote}(${filePattern})`,
    'giu',
  );
  const created = new RegExp(
    String.raw`\b(?:create|write|make)\s+(?:a\s+)?(?:new\s+)?file\s+(?:called\s+|named\s+)?${quote}(${filePattern})${quote}\s+(?:with|containing|saying|that says)\s+(?:the\s+)?(?:(?:text|words?|content)\s+)?["“]?([^"”\n]+)["”]?`,
    'giu',
  );
  return [
    ...scan(text, quoted, ([, content = '', path = '']) => [
      { kind: 'write', path, text: content },
    ]),
    ...scan(text, created, ([, path = '', content = '']) => [
      { kind: 'write', path, text: content.trim() },
    ]),
  ];
}

function findAppends(text: string): Found[] {
  const pattern = new RegExp(
    String.raw`\b(?:put|add|write)\s+(.{1,100}?)\s+(?:on|to|onto|in)\s+(?:the\s+|my\s+)?(?:(\w+)\s+list\b|(?:file\s+)?${quote}(${filePattern}))`,
    'giu',
  );
  return scan(text, pattern, ([, line = '', name, path]) => [
    { kind: 'append', path: path ?? `notes/${(name ?? '').toLowerCase()}.txt`, line },
  ]);
}

function findRanks(text: string): Found[] {
  const pattern = new RegExp(
    String.raw`\b(?:which|what)\s+[^?.!\n]{0,60}?\b(?:in|of|from)\s+${quote}(${filePattern})${quote}\s+has\s+the\s+(most|largest|highest|longest|biggest|fewest|least|smallest|lowest|shortest)\s+([\p{L} ]{2,40}?)${clauseEnd}`,
    'giu',
  );
  return scan(text, pattern, ([, path = '', word = '', column = '']) => {
    const most = /^(?:most|largest|highest|longest|biggest)$/i.test(word);
    return [{ kind: 'rank', path, column: column.trim(), most }];
  });
}

function findRecalls(text: string): Found[] {
  const pattern =
    /\b(?:what|anything)\s+(?:(?:do|did|can)\s+)?you\s+(?:remember|know|recall)(?:\s+(?:about|of)\s+([^?.!,\n]+))?|\bdo\s+you\s+(?:still\s+)?remember\s+([^?.!,\n]+)/gi;
  return scan(text, pattern, ([, about, other]) => {
    const subject = (about ?? other)?.trim();
    return [{ kind: 'recall', ...(subject && { about: subject }) }];
  });
}

function findRemembers(text: string): Found[] {
  const pattern =
    /\b(?:remember|memori[sz]e|keep\s+in\s+mind|make\s+a\s+note)\b(?:\s+that\b|\s*:)?\s+([^.!?\n]+)/gi;
  return scan(text, pattern, ([, fact = '']) => [{ kind: 'remember', fact: fact.trim() }]);
}

function findHistoryAndHelp(text: string): Found[] {
  return [
    ...scan(
      text,
      /\bwhat\s+(?:did|have|was)\s+(?:i|my)\s+(?:\w+\s+)?(?:ask|say|said|question)\w*[^?.!\n]*/gi,
      () => [{ kind: 'history' }],
    ),
    ...scan(
      text,
      /\bwhat\s+can\s+you\s+do\b|\bwho\s+are\s+you\b|\bwhat\s+(?:tools|servers)\b[^?.!\n]*|^\s*help\b/gi,
      () => [{ kind: 'help' }],
    ),
  ];
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];

function findPicks(text: string): Found[] {
  const pattern =
    /\b(?:read|open|show|display|print|summari[sz]e)\s+(?:me\s+)?the\s+(first|second|third|fourth|fifth|sixth|seventh|eighth|last|\d+(?:st|nd|rd|th))\b(?:\s+(?:one|file|entry|document))?/gi;
  return scan(text, pattern, ([, word = '']) => {
    const lower = word.toLowerCase();
    if (lower === 'last') return [{ kind: 'pick', position: -1 }];
    const index = ordinals.indexOf(lower);
    return [{ kind: 'pick', position: index >= 0 ? index : Number.parseInt(lower, 10) - 1 }];
  });
}

function findSizes(text: string): Found[] {
  return scan(
    text,
    /\b(?:which|what|show|find|tell)\b[^?.!\n]*?\b(largest|biggest|longest|smallest|shortest)\b[^?.!,\n]*/gi,
    ([, word = '']) => [{ kind: 'size', smallest: /^s/i.test(word) }],
  );
}

function findReads(text: string): Found[] {
  const pattern = new RegExp(
    String.raw`\b(?:read|open|show|print|display|cat|summari[sz]e|what(?:'s|’s|\s+is)\s+in|what\s+does|contents?\s+of)\s+(?:(?:me|the|file|contents?|of|my)\s+)*${quote}(${filePattern})${quote}((?:\s*,\s*|\s+and\s+)${quote}${filePattern}${quote})*`,
    'giu',
  );
  return scan(text, pattern, ([match]) =>
    [...match.matchAll(new RegExp(filePattern, 'gu'))].map(([path]) => ({ kind: 'read', path })),
  );
}

function findTimes(text: string): Found[] {
  const pattern = new RegExp(
    String.raw`\b(?:what\s+time|what(?:'s|’s|\s+is)\s+the\s+(?:current\s+|local\s+)?time|time\s+is\s+it|(?:the\s+)?(?:current|local)\s+time|the\s+time|time(?=\s+in\s))(?!\s+(?:difference|zone|complexity|limit))\b(?:\s+is\s+it)?(?:\s+(?:right\s+)?now)?(?:\s+(?:in|at|for)\s+(.+?)${clauseEnd})?`,
    'giu',
  );
  return scan(text, pattern, (match) => {
    const places = match[1] === undefined ? [] : [match[1].trim(), ...furtherPlaces(match)];
    if (places.length === 0) return [{ kind: 'time' }];
    return places.map((place) => ({ kind: 'time', place: place.replace(/^the\s+/i, '') }));
  });
}

/** “… in Tokyo, Paris and New York”: names that go on after the first. */
function furtherPlaces(match: RegExpExecArray): string[] {
  let rest = match.input.slice(match.index + match[0].length);
  const places: string[] = [];
  for (let found = nextPlace.exec(rest); found; found = nextPlace.exec(rest)) {
    const place = found[1] ?? '';
    if (!/^\p{Lu}\S*(?:\s\p{Lu}\S*)*$/u.test(place) && zoneOf(place) === undefined) break;
    places.push(place);
    rest = rest.slice(found[0].length);
  }
  return places;
}

const nextPlace =
  /^\s*(?:,\s*and|,|and)\s+(?:in\s+)?(\p{L}[\p{L}'’-]*(?:\s\p{L}[\p{L}'’-]*){0,2}?)(?=\s*(?:[,?.!;]|$)|\s+and\b)/u;

function findLists(text: string): Found[] {
  const pattern = new RegExp(
    String.raw`\b(?:(?:list|show|see|display)\s+(?:(?:me|all|the|my)\s+)*(?:files?|contents?|workspace|folders?|director(?:y|ies)|[\w./-]+\s+(?:folder|directory))|(?:what|which|how\s+many)\s+(?:other\s+)?(?:files?|folders?|documents?)|what(?:'s|’s|\s+is)\s+(?:there\s+)?in\s+(?:the\s+|my\s+)?(?:workspace|[\w./-]+\s+(?:folder|directory)))\b.*?${clauseEnd}`,
    'giu',
  );
  return scan(text, pattern, ([match]) => [{ kind: 'list', path: listedPath(match) }]);
}

function listedPath(clause: string): string {
  const named = /\b(?:the\s+|my\s+)?([\w./-]+)\s+(?:folder|directory)\b/i.exec(clause)?.[1];
  const inside =
    /\b(?:in|of|inside|under|from)\s+(?:the\s+|my\s+)?(?:folder\s+|directory\s+)?["'`]?([\w./-]+)/i.exec(
      clause,
    )?.[1];
  const path = named ?? inside ?? '.';
  return /^(workspace|the|my|this|here|there|it|folder|directory|that|list|show)$/i.test(path)
    ? '.'
    : path;
}

function findSearches(text: string): Found[] {
  const pattern =
    /\b(?:search|google|look\s+up)\s+(?:(?:the\s+)?(?:web|internet|online)\s+)?(?:for\s+|about\s+)?([^?.!\n]+)/gi;
  return scan(text, pattern, ([, query = '']) => [{ kind: 'search', query: query.trim() }]);
}

function findMedia(text: string): Found[] {
  return [
    ...scan(
      text,
      /\b(?:show|draw|display|make|see|paint)\b[^?.!\n]*?\b(?:image|picture|photo|drawing)\b/gi,
      () => [{ kind: 'image' }],
    ),
    ...scan(text, /\bplay\b[^?.!\n]*?\b(?:sound|tone|audio|music)\b/gi, () => [{ kind: 'sound' }]),
  ];
}

/** A message that only makes sense after another: “and in Paris?”, “那巴黎呢？”. */
function findFollowUp(text: string): Intent[] {
  const english =
    /^\s*(?:(?:and|but|what about|how about|and what about|same for)\s+)+(?:(?:in|for|at|the|of)\s+)*(.{1,80}?)[\s?.!]*$/i.exec(
      text,
    );
  const chinese = /^\s*(?:那么?|还有|然后)?\s*(.{1,40}?)呢[？?。!！\s]*$/u.exec(text);
  const subject = (english ?? chinese)?.[1]?.trim();
  return subject ? splitList(subject).map((one) => ({ kind: 'again', subject: one })) : [];
}

function scan(text: string, pattern: RegExp, read: (match: RegExpExecArray) => Intent[]): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(pattern)) {
    const intents = read(match);
    if (intents.length > 0) {
      found.push({ start: match.index, end: match.index + match[0].length, intents });
    }
  }
  return found;
}
