import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import type { Intent, Kind, PlannedCall } from './context.ts';
import { kinds, skills, type Offers } from './skills.ts';

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
export function callFor(intent: Intent, tools: ToolDefinition[], kind = intent.kind) {
  const { tools: names = '', offers, insists } = skills[kind];
  const best = names.split(' ').toReversed();
  const rank = ({ name }: ToolDefinition) => best.indexOf(wordsOf(name).join('_'));
  const fitting = tools.filter(({ name }) => kindOf(name, tools) === kind);
  const [tool] = fitting.toSorted((a, b) => rank(b) - rank(a));
  const call = tool && fillCall(tool, offers?.(intent) ?? {});
  return call ?? (tool && insists && fillCall(tool, insists(intent)));
}

/** Arguments from what is on offer; undefined when something required stays empty. */
function fillCall(tool: ToolDefinition, offers: Offers): PlannedCall[] | undefined {
  const { properties, required } = tool.inputSchema;
  const all = toObject(properties);
  const filled: JsonObject = {};
  const fill = (name: string, value: Json) => {
    const { type } = toObject(all[name]);
    if (type === 'array' && !Array.isArray(value)) filled[name] = [value];
    else filled[name] = type === 'string' && typeof value === 'number' ? String(value) : value;
  };
  for (const [names, value] of Object.entries(offers)) {
    const name = names.split(' ').find((one) => one in all && !(one in filled));
    if (name !== undefined && value !== undefined) fill(name, value);
  }
  const [empty, ...more] = (Array.isArray(required) ? required.map(String) : []).filter(
    (name) => !(name in filled) && !('default' in toObject(all[name])),
  );
  if (empty !== undefined) {
    const [names = '', value] = Object.entries(offers)[0] ?? [];
    const { type, enum: choices } = toObject(all[empty]);
    const isUsed = names.split(' ').some((name) => name in filled);
    if (more.length > 0 || value === undefined || isUsed || type !== 'string' || choices) return;
    fill(empty, value);
  }
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
  const ranked = tools.flatMap((tool) => {
    const words = wordsOf(tool.name).map(stem);
    const isSafe = words.every((word) => !changing.has(word) || asked.has(word));
    const telling = words.filter((word) => word.length > 2 && asked.has(word));
    const score = telling.filter((word) => !plain.has(word) && !changing.has(word)).length;
    const fits = isSafe && score > 0 && guessed.has(kindOf(tool.name, tools));
    return fits ? [{ tool, words, score }] : [];
  });
  return ranked
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool, words }) => fillCall(tool, offersOf(question, words)))
    .find(Boolean);
}

function stem(word: string): string {
  return (word.length > 3 ? word.replace(/s$/i, '') : word).toLowerCase();
}

const placePattern =
  /\b(?:in|at|for|of|to|about)\s+(?:the\s+)?(\p{L}[\p{L}\p{N} '’-]*?)(?=\s*[,?.!;]|\s+(?:and|on|tomorrow|today)\b|$)/iu;

/** What the question holds that a parameter could want. */
function offersOf(question: string, words: string[]): Offers {
  const [, quoted] = /["“「`](.+?)["”」`]/u.exec(question) ?? [];
  const [, place] = placePattern.exec(question) ?? [];
  const [number] = /-?\d+(?:\.\d+)?/.exec(question) ?? [];
  const all = [...question.matchAll(/[\p{L}\p{N}]+/gu)];
  const named = all.findLast(([word]) => words.includes(stem(word)));
  const after = question.slice(named ? named.index + named[0].length : 0);
  const rest = after.replaceAll(/^[\s:,，：]+|[\s?？!！.。]+$/gu, '') || undefined;
  return {
    'city location place name topic title': quoted ?? place ?? rest,
    'query q text message input prompt question content': quoted ?? rest,
    'count number limit n amount': number && Number(number),
  };
}
