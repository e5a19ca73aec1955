import { truncate } from '#shared/text/text.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import { createToolIndex } from './tool-index.ts';

const maxTools = 8;
const answerBytes = 24 * 1024;
const maxServers = 100;
const alsoFound = 12;

/**
 * What `search_tools` answers: whole definitions of the best matches as far as they fit, one line a tool
 * for the next ones; for a query without words, the servers.
 */
export function searchTools(tools: readonly Tool[], query: string, limit: number): string {
  const most = Math.min(maxTools, Math.max(1, Math.trunc(limit) || 1));
  if (query.trim() === '') return describeServers(tools);
  const found = withExactFirst(
    tools,
    query.trim(),
    createToolIndex(tools)
      .search(query, most + alsoFound)
      .map(({ tool }) => tool),
  );
  if (found.length === 0)
    return `No tool matches. Try other words for what it does.\n${describeServers(tools)}`;
  return writeAnswer(found, most);
}

function withExactFirst(tools: readonly Tool[], query: string, found: Tool[]): Tool[] {
  const exact = tools.filter(({ name, toolName }) => name === query || toolName === query);
  return [...new Set([...exact.slice(0, maxTools), ...found])];
}

function writeAnswer(found: readonly Tool[], most: number): string {
  const lines: string[] = [];
  let left = answerBytes;
  for (const tool of found.slice(0, most)) {
    const line = writeDefinition(tool, left);
    if (line === undefined) break;
    lines.push(line);
    left -= Buffer.byteLength(line) + 1;
  }
  const rest = found.slice(lines.length, lines.length + alsoFound);
  if (rest.length > 0) lines.push(`Also: ${rest.map(({ name }) => name).join(', ')}`);
  return lines.join('\n');
}

/** The definition in at most so many bytes: whole, else with the names of its arguments only. */
function writeDefinition(tool: Tool, most: number): string | undefined {
  const { name, description, inputSchema } = tool;
  const whole = JSON.stringify({ name, description, inputSchema });
  if (Buffer.byteLength(whole) <= most) return whole;
  if (most < answerBytes) return undefined;
  const brief = { name, description: truncate(description, 1000) };
  const short = JSON.stringify({ ...brief, inputSchema: shorten(inputSchema) });
  return Buffer.byteLength(short) <= most ? short : JSON.stringify(brief);
}

/** The first level of a schema, each argument cut to its kind and a sentence. */
function shorten(schema: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const brief = Object.entries(properties).map(([name, property]): [string, Json] => {
    const { type = 'any', description = '' } = isJsonObject(property) ? property : {};
    const text = typeof description === 'string' ? truncate(description, 120) : '';
    return [name, `${JSON.stringify(type)} ${text}`.trim()];
  });
  return {
    note: 'The schema is too large to show; these are its first-level arguments.',
    properties: Object.fromEntries(brief),
    required: schema['required'] ?? [],
  };
}

function describeServers(tools: readonly Tool[]): string {
  const servers = [...Map.groupBy(tools, ({ serverName }) => serverName)].slice(0, maxServers);
  const lines = servers.map(([name, own]) => `- ${truncate(name, 100)}: ${own.length} tools`);
  return ['Connected servers:', ...lines].join('\n');
}
