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

/** By what the description of a built-in server is known. */
export function builtinServerId(server: string): string {
  return `builtin/${server}`;
}

/** The registry that ships with Cerise; it needs no network. */
export const pickedRegistry = 'picked';

/** The id of a new registry, made from its name. */
export function freeRegistryId(name: string, taken: readonly { id: string }[]): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 90);
  const wanted = slug === '' || slug === pickedRegistry ? 'registry' : slug;
  let id = wanted;
  for (let count = 2; taken.some((one) => one.id === id); count += 1) id = `${wanted}-${count}`;
  return id;
}

/** By what a text of Cerise's own catalogue is known: by itself, so that one that a person has changed is theirs. */
export function pickedTextId(text: string): string {
  return `picked/${text}`;
}

/** The description of an entry of a registry as words: that of Cerise's own is known in other languages. */
export function entryWords(entry: { registry: string; description: string }): Words {
  return pickedWords(entry.registry, entry.description);
}

/** What an imported server asks for as words: what Cerise's own entries say is known in other languages. */
export function questionWords(label: string): Words {
  return { id: pickedTextId(label), text: label };
}

/** A server's description as words: that of a built-in one, or of one from Cerise's own catalogue, is known in other languages. */
export function serverWords({ config, installedFrom }: ServerText, text: string): Words {
  const builtin = builtinOf(config);
  if (builtin !== undefined) return { id: builtinServerId(builtin), text };
  return pickedWords(installedFrom?.registry, text);
}
interface ServerText {
  config?: unknown;
  installedFrom?: { registry: string } | undefined;
}

function pickedWords(registry: string | undefined, text: string): Words {
  return registry === pickedRegistry ? { id: pickedTextId(text), text } : text;
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
