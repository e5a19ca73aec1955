import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import { encodeHeaderValue } from '../protocol/header-value.ts';
import type { McpTool, MirroredParameter } from './types.ts';

/** The keyword that marks a parameter. */
export const headerMark = 'x-mcp-header';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const mirrorable: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Keywords below which names lead to schemas; elsewhere schemas stand directly or in a list. */
const namedSchemas = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties']);
/** Below these stands data, not schemas. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples']);

/** Which parameters a tool mirrors into headers, or why its schema is not a legal one in that. */
export type Mirroring = { parameters: MirroredParameter[] } | { problem: string };

/** Reads the `x-mcp-header` marks of an input schema that is within bounds. */
export function readMirroring(schema: JsonObject): Mirroring {
  const found: MirroredParameter[] = [];
  const problem = readSchema(schema, [], true, found);
  if (problem !== undefined) return { problem };
  const names = new Set(found.map(({ header }) => header.toLowerCase()));
  if (names.size < found.length) return { problem: `two parameters are mirrored into one header` };
  return { parameters: found };
}

/** The headers that repeat a call's arguments. Throws CeriseError for a number no header can carry. */
export function mirroredHeaders(tool: McpTool, args: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { header, path } of tool.mirrored ?? []) {
    const text = toText(valueAt(args, path), path);
    if (text !== undefined) headers[header] = encodeHeaderValue(text);
  }
  return headers;
}

/** Goes through schemas only. `direct` is true as long as nothing but `properties` led here. */
function readSchema(
  schema: unknown,
  path: string[],
  direct: boolean,
  found: MirroredParameter[],
): string | undefined {
  if (Array.isArray(schema)) return first(schema, (item) => readSchema(item, path, false, found));
  if (!isJsonObject(schema)) return undefined;
  return (
    readMark(schema, path, direct, found) ??
    first(Object.keys(schema), (keyword) => {
      if (dataKeywords.has(keyword)) return undefined;
      const below = schema[keyword];
      const named = keyword === 'properties';
      if (!isJsonObject(below) || !(named || namedSchemas.has(keyword))) {
        return readSchema(below, path, false, found);
      }
      return first(Object.keys(below), (name) =>
        readSchema(below[name], [...path, name], direct && named, found),
      );
    })
  );
}

function readMark(
  schema: JsonObject,
  path: string[],
  direct: boolean,
  found: MirroredParameter[],
): string | undefined {
  if (!Object.hasOwn(schema, headerMark)) return undefined;
  const name = schema[headerMark];
  const place = path.join('.') || `the whole schema`;
  if (!direct || path.length === 0) return `${place} cannot be mirrored from where it stands`;
  if (typeof name !== 'string' || !token.test(name)) return `${place} names no legal header`;
  if (!mirrorable.has(schema.type)) return `${place} is no text, integer or boolean`;
  found.push({ header: `Mcp-Param-${name}`, path });
  return undefined;
}

function first<T>(items: T[], judge: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = judge(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valueAt(args: JsonObject, path: string[]): Json | undefined {
  let value: Json | undefined = args;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Undefined where there is nothing to mirror; what is no plain value the server itself refuses. */
function toText(value: Json | undefined, path: string[]): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return undefined;
  if (Number.isSafeInteger(value)) return String(value);
  throw new CeriseError(
    'invalid_arguments',
    say('integer-between')`${path.join('.')} must be an integer between -(2^53 - 1) and 2^53 - 1.`,
  );
}
