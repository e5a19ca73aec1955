import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import { chat } from './servers/chat.ts';
import { cloud } from './servers/cloud.ts';
import { codeHosting } from './servers/code-hosting.ts';
import { data } from './servers/data.ts';
import { desktop } from './servers/desktop.ts';
import { home } from './servers/home.ts';
import { office } from './servers/office.ts';
import { projects } from './servers/projects.ts';
import { shop } from './servers/shop.ts';
import { workspace } from './servers/workspace.ts';

/** One server of the corpus: tools in words of their own, and a long tail of ordinary ones. */
export interface ServerSpec {
  name: string;
  /** How its tools are spelled. */
  spelling: 'snake' | 'camel' | 'kebab' | 'dotted';
  /** Lines of `tool name | description | parameter: description; …`. */
  tools: string;
  /** Lines of `thing, things | what it is`; every action is made for every thing. */
  things: string;
  /** What can be done with a thing: the tool's words, its description and its parameters. */
  actions: Action[];
}

interface Action {
  /** `{}` is the thing, `{s}` the things. */
  name: string;
  /** `{}`, `{s}`, and `{is}`: what the thing is. */
  description: string;
  parameters: string;
}

const specs: ServerSpec[] = [
  codeHosting,
  workspace,
  chat,
  cloud,
  shop,
  projects,
  desktop,
  data,
  home,
  office,
];

/** About two thousand tools of ten servers, the same at every call. */
export function buildCorpus(): Tool[] {
  return specs.flatMap((spec) => [
    ...rows(spec.tools).map(([name = '', description = '', parameters = '']) =>
      toTool(spec, name, description, parameters),
    ),
    ...rows(spec.things).flatMap(([names = '', is = '']) =>
      spec.actions.map((action) => actionTool(spec, action, names, is)),
    ),
  ]);
}

function actionTool(spec: ServerSpec, action: Action, names: string, is: string): Tool {
  const [one = '', many = ''] = names.split(',').map((name) => name.trim());
  const fill = (text: string): string =>
    text.replaceAll('{}', one).replaceAll('{s}', many).replaceAll('{is}', is);
  return toTool(
    spec,
    fill(action.name).split(' ').join('_'),
    fill(action.description),
    fill(action.parameters),
  );
}

function toTool(spec: ServerSpec, words: string, description: string, parameters: string): Tool {
  const toolName = spell(words.split('_'), spec.spelling);
  return {
    kind: 'mcp',
    name: `mcp__${spec.name}__${toolName}`,
    description,
    inputSchema: toSchema(parameters),
    serverId: spec.name,
    serverName: spec.name,
    toolName,
    annotations: {},
    trusted: false,
    execute: () => Promise.resolve({ content: [] }),
  };
}

function toSchema(parameters: string): JsonObject {
  const entries = parameters.split(';').filter((entry) => entry.trim() !== '');
  const properties = entries.map((entry): [string, Json] => {
    const [name = '', description = ''] = entry.split(/:(.*)/).map((part) => part.trim());
    return [name, { type: 'string', ...(description !== '' && { description }) }];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function spell(words: string[], spelling: ServerSpec['spelling']): string {
  if (spelling === 'snake') return words.join('_');
  if (spelling === 'kebab') return words.join('-');
  if (spelling === 'dotted') return [words.slice(1).join('_'), words[0]].join('.');
  const [first = '', ...rest] = words;
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function rows(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}
