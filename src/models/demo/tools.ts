import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import type { PlannedCall } from './context.ts';
import { type Intent, kinds, type Offers, skills } from './skills.ts';

/** A tool's name on its server: what follows the server's name. */
export function ownName(toolName: string): string {
  return toolName.replace(/^(?:mcp__.+?__|.+?__)(?=.)/s, '');
}

/** The words of a name or a text, in lower case and without a plural. */
function wordsOf(text: string): string[] {
  const spaced = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const words = spaced.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
}

/** The tools a person can mean by a name: full, `server__tool`, or the bare name of the tool. */
export function toolsNamed(name: string, tools: ToolDefinition[]): ToolDefinition[] {
  const wanted = name.replaceAll(/[./:]+/g, '__');
  const exact = tools.filter((tool) => [name, wanted, `mcp__${wanted}`].includes(tool.name));
  return exact.length > 0 ? exact : tools.filter((tool) => ownName(tool.name) === wanted);
}

/** By kind the tools that fit: their words, best first, and the words that are enough. */
const fitting = kinds.map((kind) => {
  const names = skills[kind].tools?.split(' ') ?? [];
  const whole = names.filter((name) => !name.includes('+')).map((name) => wordsOf(name).join(' '));
  return { kind, whole, some: names.filter((name) => name.includes('+')).map(wordsOf) };
});

/** What a tool is good for: by its name, else by words of its name, else by its first sentence. */
export function kindOf({ name, description }: Pick<ToolDefinition, 'name' | 'description'>) {
  const own = wordsOf(ownName(name));
  const said = wordsOf(description.split(/[.\n]/, 1)[0] ?? '');
  // What reads several files or media is no tool for one text.
  const isOther = own.includes('multiple') || own.includes('media');
  const has = (all: string[], words: string[]) => words.every((word) => all.includes(word));
  const found =
    fitting.find(({ whole }) => whole.includes(own.join(' '))) ??
    fitting.find(({ some }) => !isOther && some.some((words) => has(own, words))) ??
    fitting.find(({ some }) => some.some((words) => words.length > 1 && has(said, words)));
  return found?.kind;
}

/** A call of the best tool for this; undefined without one, or where it wants more than is known. */
export function callFor(intent: Intent, tools: ToolDefinition[]): PlannedCall | undefined {
  const best = fitting.find(({ kind }) => kind === intent.kind)?.whole.toReversed() ?? [];
  const rank = ({ name }: ToolDefinition) => best.indexOf(wordsOf(ownName(name)).join(' '));
  const usable = tools.filter((tool) => kindOf(tool) === intent.kind);
  const [tool] = usable.toSorted((a, b) => rank(b) - rank(a));
  return tool && fillCall(tool, skills[intent.kind].offers?.(intent) ?? {});
}

/** Arguments from what is on offer; undefined when something required stays empty. */
function fillCall(tool: ToolDefinition, offers: Offers): PlannedCall | undefined {
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
  return { toolName: tool.name, arguments: filled };
}

function toObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Words that say nothing about what a tool is for. */
const plain = new Set('get list read show find search the all tool run current and'.split(' '));
/** Tools that change something are called only when the question says the same verb. */
const changing = new Set(
  'delete remove write update create move send edit add set post'.split(' '),
);

/** A call of the tool whose name shares the most words with the question, if it holds what is required. */
export function guessCall(question: string, tools: ToolDefinition[]): PlannedCall | undefined {
  const asked = new Set(wordsOf(question));
  const ranked = tools.flatMap((tool) => {
    const words = wordsOf(ownName(tool.name));
    const isSafe = words.every((word) => !changing.has(word) || asked.has(word));
    const telling = words.filter((word) => word.length > 2 && asked.has(word));
    const score = telling.filter((word) => !plain.has(word) && !changing.has(word)).length;
    return isSafe && score > 0 && kindOf(tool) === undefined ? [{ tool, words, score }] : [];
  });
  const best = ranked.toSorted((a, b) => b.score - a.score);
  return best.map(({ tool, words }) => fillCall(tool, offersOf(question, words))).find(Boolean);
}

const placePattern =
  /\b(?:in|at|for|of|to|about)\s+(?:the\s+)?(\p{L}[\p{L}\p{N} '’-]*?)(?=\s*[,?.!;]|\s+(?:and|on|tomorrow|today)\b|$)/iu;

/** What the question holds that a parameter could want. */
function offersOf(question: string, words: string[]): Offers {
  const [, quoted] = /["“「`](.+?)["”」`]/u.exec(question) ?? [];
  const [, place] = placePattern.exec(question) ?? [];
  const [number] = /-?\d+(?:\.\d+)?/.exec(question) ?? [];
  const all = [...question.matchAll(/[\p{L}\p{N}]+/gu)];
  const named = all.findLast(([word]) => wordsOf(word).some((one) => words.includes(one)));
  const after = question.slice(named ? named.index + named[0].length : 0);
  const rest = after.replaceAll(/^[\s:,，：]+|[\s?？!！.。]+$/gu, '') || undefined;
  return {
    'city location place name topic title': quoted ?? place ?? rest,
    'query q text message input prompt question content': quoted ?? rest,
    'count number limit n amount': number && Number(number),
  };
}
