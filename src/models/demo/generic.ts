import type { DemoContext, PlannedCall } from './context.ts';
import { fillArguments, kindOf, wordsOf, type Offer, type TaskKind } from './tool-match.ts';

/** Words of tool names that say nothing about what a tool is for. */
const plainVerbs = new Set([
  'get',
  'list',
  'read',
  'show',
  'find',
  'search',
  'the',
  'all',
  'tool',
  'run',
  'current',
  'and',
]);
/** Tools that change something are called only when the question says the same verb. */
const changing = new Set([
  'delete',
  'remove',
  'write',
  'update',
  'create',
  'move',
  'send',
  'edit',
  'add',
  'set',
  'post',
]);

/** Questions for these tools are recognised as such; a shared word alone is a misunderstanding. */
const recognised = new Set<TaskKind | undefined>([
  'time',
  'list',
  'read',
  'info',
  'write',
  'fetch',
  'remember',
  'observe',
  'recall',
  'calculate',
  'search',
]);

/**
 * A call of a tool nobody has told the demo model about: the one whose name shares the most words
 * with the question, if the question also holds what it requires.
 */
export function planUnknownTool({ turn, tools }: DemoContext): PlannedCall | undefined {
  const question = turn.question.toLowerCase();
  const asked = new Set((question.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem));
  const ranked = tools
    .filter((tool) => !recognised.has(kindOf(tool.name, tools)))
    .map((tool) => {
      const words = wordsOf(tool.name).map(stem);
      const verbs = words.filter((word) => changing.has(word));
      const score = words.filter(
        (word) => word.length > 2 && !plainVerbs.has(word) && asked.has(word),
      ).length;
      return {
        tool,
        words,
        score: verbs.every((verb) => asked.has(verb)) ? score - verbs.length : 0,
      };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  for (const { tool, words } of ranked) {
    const filled = fillArguments(tool.inputSchema, offers(turn.question, words));
    if (filled) return { toolName: tool.name, arguments: filled };
  }
  return undefined;
}

function stem(word: string): string {
  return word.length > 3 ? word.replace(/s$/, '') : word;
}

/** What the question holds that a parameter could want; the most telling first. */
function offers(question: string, words: string[]): Offer[] {
  const quoted = /["“「`](.+?)["”」`]/u.exec(question)?.[1];
  const place =
    /\b(?:in|at|for|of|to|about)\s+(?:the\s+)?([\p{L}][\p{L}\p{N} '’-]*?)(?=\s*[,?.!;]|\s+(?:and|on|tomorrow|today)\b|$)/iu.exec(
      question,
    )?.[1];
  const rest = afterWord(question, words);
  const number = /-?\d+(?:\.\d+)?/.exec(question)?.[0];
  const offered: Offer[] = [];
  const subject = quoted ?? place ?? rest;
  if (subject !== '')
    offered.push({
      names: ['city', 'location', 'place', 'name', 'topic', 'title'],
      value: subject,
    });
  const message = quoted ?? rest;
  if (message !== '')
    offered.push({
      names: ['query', 'q', 'text', 'message', 'input', 'prompt', 'question', 'content'],
      value: message,
    });
  if (number !== undefined)
    offered.push({ names: ['count', 'number', 'limit', 'n', 'amount'], value: Number(number) });
  return offered;
}

/** What follows the last word of the question that is also in the tool's name. */
function afterWord(question: string, words: string[]): string {
  let end = 0;
  for (const match of question.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (words.includes(stem(match[0].toLowerCase()))) end = match.index + match[0].length;
  }
  return question.slice(end).replace(/^[\s:,，：]+|[\s?？!！.。]+$/gu, '');
}
