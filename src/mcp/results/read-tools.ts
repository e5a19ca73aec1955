import { textOf, type Words } from '#shared/errors/sentence.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolAnnotations } from '#shared/vocabulary/tool.ts';
import { inspectSchema } from '../schema/schema-problem.ts';
import { headerMark, readMirroring } from './mirrored-headers.ts';
import type { ListKind } from './pages.ts';
import { type Note, readIcons, readMeta, readName, readText } from './read-json.ts';
import type { McpTool } from './types.ts';

const longest = { name: 256, title: 1000, description: 64 * 1024 };
const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/**
 * The tools of a server. With `mirror` (HTTP, modern) parameters marked for headers are read too, and
 * a tool that marks them wrongly is left out, as the protocol demands.
 */
export function toolList({ mirror }: { mirror: boolean }): ListKind<McpTool> {
  return {
    method: 'tools/list',
    field: 'tools',
    key: ({ name }) => name,
    read: (entry, note) => readTool(entry, mirror, note),
  };
}

function readTool(entry: unknown, mirror: boolean, note: Note): McpTool | undefined {
  const name = isJsonObject(entry) ? readName(entry.name, longest.name) : undefined;
  if (!isJsonObject(entry) || name === undefined) {
    note('A tool without a usable name was left out.');
    return undefined;
  }
  const tool: McpTool = {
    name,
    description: readText(entry.description, longest.description) ?? '',
    inputSchema: isJsonObject(entry.inputSchema) ? entry.inputSchema : {},
    annotations: readAnnotations(entry.annotations),
  };
  const title = readText(entry.title, longest.title) || tool.annotations.title;
  if (title) tool.title = title;
  // The schema itself stays as it was written: hosts show it, and pin it by its hash.
  const { problem, hasKey } = inspectSchema(tool.inputSchema, headerMark);
  if (problem !== undefined) quarantine(tool, problem, note);
  else if (mirror && hasKey && !addMirrored(tool, note)) return undefined;
  if (entry.outputSchema !== undefined) addOutput(tool, entry.outputSchema, note);
  addRest(tool, entry);
  return tool;
}

/** A tool with a bad schema stays in sight, but nobody can use it. */
function quarantine(tool: McpTool, problem: Words, note: Note): void {
  tool.problem = problem;
  tool.inputSchema = {};
  note(`The tool ${tool.name} cannot be used: ${textOf(problem)}`);
}

function addMirrored(tool: McpTool, note: Note): boolean {
  const mirroring = readMirroring(tool.inputSchema);
  if ('problem' in mirroring) {
    note(`The tool ${tool.name} was left out: in its schema ${mirroring.problem}.`);
    return false;
  }
  if (mirroring.parameters.length > 0) tool.mirrored = mirroring.parameters;
  return true;
}

function addOutput(tool: McpTool, schema: unknown, note: Note): void {
  const isObject = isJsonObject(schema);
  const problem = isObject ? inspectSchema(schema).problem : 'its schema is no object.';
  if (problem !== undefined)
    note(`The results of ${tool.name} are not checked: ${textOf(problem)}`);
  else if (isObject) tool.outputSchema = schema;
}

function addRest(tool: McpTool, { execution, icons, _meta }: JsonObject): void {
  const support = isJsonObject(execution) ? execution.taskSupport : undefined;
  if (support === 'optional' || support === 'required') tool.taskSupport = support;
  const pictures = readIcons(icons);
  if (pictures) tool.icons = pictures;
  const meta = readMeta(_meta);
  if (meta) tool.meta = meta;
}

function readAnnotations(value: unknown): ToolAnnotations {
  const annotations: ToolAnnotations = {};
  if (!isJsonObject(value)) return annotations;
  const title = readText(value.title, longest.title);
  if (title) annotations.title = title;
  for (const hint of hints) {
    const given = value[hint];
    if (typeof given === 'boolean') annotations[hint] = given;
  }
  return annotations;
}
