import type { Words } from '../errors/sentence.ts';
import { isJsonObject, type JsonObject } from '../vocabulary/json.ts';
import type { ServerConfig } from '../vocabulary/server.ts';

/** Which of its texts a tool has in other languages. */
type ToolTextKind = 'title' | 'description';

/** By what a text of a built-in server's tool is known. */
export function builtinToolId(server: string, tool: string, kind: ToolTextKind): string {
  return `builtin/${server}/${tool}/${kind}`;
}

/** By what the description of a tool's argument is known; `path` leads to it, as in `edits/newText`. */
export function builtinArgumentId(server: string, tool: string, path: string): string {
  return `builtin/${server}/${tool}/arguments/${path}`;
}

/** A tool's text as words: those of a built-in server are known in other languages, others stay as they are. */
export function toolWords(config: unknown, tool: string, kind: ToolTextKind, text: string): Words {
  const builtin = builtinOf(config);
  return builtin === undefined ? text : { id: builtinToolId(builtin, tool, kind), text };
}

/** The schema of a tool with the descriptions of its arguments as `tell` says them, where its server is a built-in one. */
export function toolSchema(
  config: unknown,
  tool: string,
  schema: JsonObject,
  tell: (words: Words) => string,
): JsonObject {
  const builtin = builtinOf(config);
  if (builtin === undefined) return schema;
  const retold = (part: JsonObject, path: string[]): JsonObject => {
    const { description, properties, items } = part;
    const id = builtinArgumentId(builtin, tool, path.join('/'));
    return {
      ...part,
      ...(typeof description === 'string' && { description: tell({ id, text: description }) }),
      ...(isJsonObject(properties) && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, value]) => [
            name,
            isJsonObject(value) ? retold(value, [...path, name]) : value,
          ]),
        ),
      }),
      ...(isJsonObject(items) && { items: retold(items, path) }),
    };
  };
  return retold(schema, []);
}

function builtinOf(config: unknown): string | undefined {
  const given = config as Partial<ServerConfig> | undefined;
  return given?.type === 'inMemory' ? given.builtin : undefined;
}
