import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import type { Intent, Kind, PlannedCall } from './context.ts';
import { kinds, skills, type Offer } from './skills.ts';

/** A tool's name on its server: what follows the server's name. */
export function ownName(toolName: string): string {
  return toolName.replace(/^(?:mcp__.+?__|.+?__)(?=.)/s, '');
}

/** The words of a tool's own name, lower case. */
function wordsOf(toolName: string): string[] {
  const spaced = ownName(toolName).replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The tools a person can mean by a name: full, `server__tool`, or the bare name of the tool. */
export function toolsNamed(name: string, tools: ToolDefinition[]): ToolDefinition[] {
  const wanted = name.replaceAll(/[./:]+/g, '__');
  const exact = tools.filter((tool) => [name, wanted, `mcp__${wanted}`].includes(tool.name));
  return exact.length > 0 ? exact : tools.filter((tool) => ownName(tool.name) === wanted);
}

const toolNames = kinds.map((kind) => ({ kind, names: skills[kind].tools?.split(' ') ?? [] }));

/** What a tool is good for: by its name, else by words of its name, else by its description. */
export function kindOf(name: string, tools: ToolDefinition[]): Kind | undefined {
  const own = wordsOf(name);
  // What reads several files or media is no tool for one text.
  const isOther = own.includes('multiple') || own.includes('media');
  const hasWords = (words: string) =>
    !isOther &&
    words.includes('+') &&
    words.split('+').every((word) => !word || own.includes(word));
  const byName =
    toolNames.find(({ names }) => names.includes(own.join('_'))) ??
    toolNames.find(({ names }) => names.some(hasWords));
  if (byName) return byName.kind;
  const description = tools.find((tool) => tool.name === name)?.description ?? '';
  return kinds.find((kind) => skills[kind].description?.test(description));
}

/** A call of the best tool for this; undefined without one, or where it wants more than is known. */
export function callFor(
  intent: Intent,
  tools: ToolDefinition[],
  kind = intent.kind,
): PlannedCall[] | undefined {
  const names = skills[kind].tools?.split(' ').toReversed() ?? [];
  const rank = ({ name }: ToolDefinition) => names.indexOf(wordsOf(name).join('_'));
  const [tool] = tools
    .filter(({ name }) => kindOf(name, tools) === kind)
    .toSorted((a, b) => rank(b) - rank(a));
  const { offers, insists } = skills[kind];
  const filled = tool && fillCall(tool, offers?.(intent) ?? []);
  return filled ?? (tool && insists && fillCall(tool, insists(intent)));
}

/** Arguments from what is on offer; undefined when something required stays empty. */
function fillCall(tool: ToolDefinition, offers: Offer[]): PlannedCall[] | undefined {
  const { properties: all, required } = tool.inputSchema;
  const properties = isJsonObject(all) ? all : {};
  const filled: JsonObject = {};
  const fill = (name: string, value: Json) => {
    const { type } = toObject(properties[name]);
    if (type === 'array' && !Array.isArray(value)) filled[name] = [value];
    else filled[name] = type === 'string' && typeof value === 'number' ? String(value) : value;
  };
  for (const [names, value] of offers) {
    const name = names.split(' ').find((one) => one in properties && !(one in filled));
    if (name !== undefined && value !== undefined) fill(name, value);
  }
  const [empty, ...more] = (Array.isArray(required) ? required.map(String) : []).filter(
    (name) => !(name in filled) && !('default' in toObject(properties[name])),
  );
  if (empty === undefined) return [{ toolName: tool.name, arguments: filled }];
  const [names = '', value] = offers[0] ?? [];
  const { type, enum: choices } = toObject(properties[empty]);
  const isUsed = names.split(' ').some((name) => name in filled);
  if (more.length > 0 || value === undefined || isUsed || type !== 'string' || choices) return;
  fill(empty, value);
  return [{ toolName: tool.name, arguments: filled }];
}

function toObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Questions for other kinds are recognised as such: a shared word alone is a misunderstanding. */
const guessed = new Set([undefined, 'image', 'sound', 'cite', 'slow', 'fail', 'large']);
/** Words that say nothing about what a tool is for. */
const plain = new Set('get list read show find search the all tool run current and'.split(' '));
/** Tools that change something are called only when the question says the same verb. */
const changing = new Set(
  'delete remove write update create move send edit add set post'.split(' '),
);

/** A call of the tool whose name shares the most words with the question, if it holds what is required. */
export function guessCall(question: string, tools: ToolDefinition[]): PlannedCall[] | undefined {
  const asked = new Set((question.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem));
  return tools
    .filter(({ name }) => guessed.has(kindOf(name, tools)))
    .map((tool) => ({ tool, words: wordsOf(tool.name).map(stem) }))
    .filter(({ words }) => words.every((word) => !changing.has(word) || asked.has(word)))
    .map(({ tool, words }) => {
      const telling = words.filter((word) => word.length > 2 && asked.has(word));
      const score = telling.filter((word) => !plain.has(word) && !changing.has(word)).length;
      return { tool, words, score };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool, words }) => fillCall(tool, offersOf(question, words)))
    .find(Boolean);
}

function stem(word: string): string {
  return (word.length > 3 ? word.replace(/s$/i, '') : word).toLowerCase();
}

/** What the question holds that a parameter could want; the most telling first. */
function offersOf(question: string, words: string[]): Offer[] {
  const [, quoted] = /["“「`](.+?)["”」`]/u.exec(question) ?? [];
  const [, place] =
    /\b(?:in|at|for|of|to|about)\s+(?:the\s+)?(\p{L}[\p{L}\p{N} '’-]*?)(?=\s*[,?.!;]|\s+(?:and|on|tomorrow|today)\b|$)/iu.exec(
      question,
    ) ?? [];
  const [number] = /-?\d+(?:\.\d+)?/.exec(question) ?? [];
  const named = [...question.matchAll(/[\p{L}\p{N}]+/gu)].findLast(([word]) =>
    words.includes(stem(word)),
  );
  const from = named ? named.index + named[0].length : 0;
  const rest = question.slice(from).replaceAll(/^[\s:,，：]+|[\s?？!！.。]+$/gu, '');
  const offers: Offer[] = [
    ['city location place name topic title', quoted ?? place ?? rest],
    ['query q text message input prompt question content', quoted ?? rest],
    ['count number limit n amount', number && Number(number)],
  ];
  return offers.filter(([, value]) => value !== undefined && value !== '');
}
