import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';

/** What a tool is good for, as far as its name or description tells. */
export type TaskKind =
  | 'time'
  | 'list'
  | 'read'
  | 'info'
  | 'write'
  | 'fetch'
  | 'remember'
  | 'observe'
  | 'recall'
  | 'calculate'
  | 'search'
  | 'image'
  | 'sound'
  | 'cite'
  | 'slow'
  | 'fail'
  | 'large';

interface Rule {
  /** Whole names, best first. */
  names: string[];
  /** Any of these groups of words in the name will do. */
  words: string[][];
  /** Words that tell another tool. */
  not?: string[];
  description?: RegExp;
}

const rules: Record<TaskKind, Rule> = {
  time: {
    names: ['get_current_time', 'current_time', 'get_time', 'now'],
    words: [
      ['current', 'time'],
      ['time', 'now'],
      ['get', 'time'],
    ],
    description: /\bcurrent (?:local )?time\b/i,
  },
  info: {
    names: ['get_file_info', 'file_info', 'stat'],
    words: [
      ['file', 'info'],
      ['file', 'stat'],
    ],
  },
  list: {
    names: ['list_directory', 'list_files', 'list_dir', 'ls'],
    words: [
      ['list', 'directory'],
      ['list', 'files'],
      ['list', 'dir'],
      ['list', 'folder'],
    ],
    description: /\blists?\b.*\b(?:files|directory|folder)\b/i,
  },
  read: {
    names: ['read_text_file', 'read_file'],
    words: [['read', 'file']],
    not: ['multiple', 'media'],
    description: /\breads?\b.*\b(?:contents? of|text)\b.*\bfile\b/i,
  },
  write: {
    names: ['write_file'],
    words: [
      ['write', 'file'],
      ['save', 'file'],
      ['create', 'file'],
    ],
  },
  fetch: {
    names: ['fetch_markdown', 'fetch', 'fetch_text', 'fetch_url', 'fetch_html', 'fetch_json'],
    words: [['fetch'], ['get', 'webpage'], ['read', 'url']],
    description: /\bfetch(?:es)?\b.*\b(?:url|web|page)\b/i,
  },
  remember: {
    names: ['create_entities', 'remember'],
    words: [['remember'], ['add', 'memory'], ['store', 'memory'], ['save', 'memory']],
  },
  observe: { names: ['add_observations'], words: [['add', 'observations']] },
  recall: {
    names: ['read_graph', 'recall', 'search_nodes'],
    words: [['recall'], ['search', 'memory'], ['read', 'memory'], ['list', 'memories']],
  },
  calculate: {
    names: ['calculate', 'calc', 'evaluate'],
    words: [['calculate'], ['calculator'], ['evaluate', 'expression']],
    description: /\b(?:evaluat|calculat|comput)\w*\b.*\b(?:expression|arithmetic|math)/i,
  },
  search: {
    names: ['web_search', 'search_web'],
    words: [
      ['web', 'search'],
      ['internet', 'search'],
    ],
    description: /\bsearch(?:es)? the (?:web|internet)\b/i,
  },
  image: {
    names: ['show_image', 'get_tiny_image'],
    words: [
      ['show', 'image'],
      ['tiny', 'image'],
      ['draw', 'image'],
      ['generate', 'image'],
      ['get', 'image'],
    ],
  },
  sound: { names: ['play_sound'], words: [['play', 'sound']] },
  cite: { names: ['cite'], words: [['cite'], ['citations']] },
  slow: { names: ['slow_task'], words: [['slow'], ['long', 'running']] },
  fail: { names: ['fail'], words: [['fail'], ['throw', 'error']] },
  large: {
    names: ['large_result'],
    words: [
      ['large', 'result'],
      ['big', 'result'],
    ],
  },
};
const kinds = Object.keys(rules) as TaskKind[];

/** The tool to use for a task: by its name, else by words of its name, else by its description. */
export function findTool(kind: TaskKind, tools: ToolDefinition[]): ToolDefinition | undefined {
  const rule = rules[kind];
  for (const name of rule.names) {
    const exact = tools.find((tool) => snakeCase(ownName(tool.name)) === name);
    if (exact) return exact;
  }
  return (
    tools.find((tool) => matchesWords(rule, tool.name)) ??
    tools.find(
      (tool) => kindOfName(tool.name) === undefined && rule.description?.test(tool.description),
    )
  );
}

/** What a tool that was called is good for; `tools` help where the name alone does not tell. */
export function kindOf(toolName: string, tools: ToolDefinition[]): TaskKind | undefined {
  const named = kindOfName(toolName);
  if (named) return named;
  const description = tools.find(({ name }) => name === toolName)?.description;
  if (description === undefined) return undefined;
  return kinds.find((kind) => rules[kind].description?.test(description));
}

function kindOfName(toolName: string): TaskKind | undefined {
  const own = snakeCase(ownName(toolName));
  return (
    kinds.find((kind) => rules[kind].names.includes(own)) ??
    kinds.find((kind) => matchesWords(rules[kind], toolName))
  );
}

function matchesWords({ words, not = [] }: Rule, toolName: string): boolean {
  const own = new Set(wordsOf(toolName));
  return (
    words.some((group) => group.every((word) => own.has(word))) &&
    !not.some((word) => own.has(word))
  );
}

/** A tool's name on its server: what follows the server's name. */
export function ownName(toolName: string): string {
  const [first = '', ...rest] = toolName.split('__');
  if (rest.length === 0) return first;
  return (first === 'mcp' && rest.length > 1 ? rest.slice(1) : rest).join('__');
}

/** The words of a tool's own name, lower case. */
export function wordsOf(toolName: string): string[] {
  return snakeCase(ownName(toolName)).split('_').filter(Boolean);
}

function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .toLowerCase();
}

/** A value for a tool, with the names its parameter may have. */
export interface Offer {
  names: string[];
  value: Json;
}

/**
 * Arguments for a schema from what is on offer. An offer marked by its first place may also fill the
 * only required text. Undefined when something required stays empty.
 */
export function fillArguments(schema: JsonObject, offers: Offer[]): JsonObject | undefined {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : [];
  const filled: JsonObject = {};
  for (const { names, value } of offers) {
    const name = names.find((candidate) => candidate in properties && !(candidate in filled));
    if (name !== undefined) filled[name] = fit(properties[name], value);
  }
  const empty = required.filter((name) => !(name in filled) && !hasDefault(properties[name]));
  const [first] = offers;
  const [only] = empty;
  const used = first?.names.some((name) => name in filled) ?? true;
  if (empty.length === 1 && only !== undefined && first && !used && takesText(properties[only])) {
    filled[only] = fit(properties[only], first.value);
    return filled;
  }
  return empty.length === 0 ? filled : undefined;
}

function fit(property: Json | undefined, value: Json): Json {
  if (!isJsonObject(property)) return value;
  if (property['type'] === 'array' && !Array.isArray(value)) return [value];
  if (property['type'] === 'string' && typeof value === 'number') return String(value);
  return value;
}

function takesText(property: Json | undefined): boolean {
  return isJsonObject(property) && property['type'] === 'string' && !('enum' in property);
}

function hasDefault(property: Json | undefined): boolean {
  return isJsonObject(property) && 'default' in property;
}

/** The tools a person can mean by a name: full, `server__tool`, or the bare name of the tool. */
export function toolsNamed(name: string, tools: ToolDefinition[]): ToolDefinition[] {
  const wanted = name.replaceAll(/[./:]+/g, '__');
  const exact = tools.filter(
    (tool) => tool.name === name || tool.name === wanted || tool.name === `mcp__${wanted}`,
  );
  return exact.length > 0 ? exact : tools.filter((tool) => ownName(tool.name) === wanted);
}
