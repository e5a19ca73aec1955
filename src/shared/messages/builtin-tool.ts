import type { Words } from '../errors/sentence.ts';
import type { ServerConfig } from '../vocabulary/server.ts';

/** Which of its texts a tool has in other languages. */
type ToolTextKind = 'title' | 'description';

/** By what a text of a built-in server's tool is known. */
export function builtinToolId(server: string, tool: string, kind: ToolTextKind): string {
  return `builtin/${server}/${tool}/${kind}`;
}

/** A tool's text as words: those of a built-in server are known in other languages, others stay as they are. */
export function toolWords(config: unknown, tool: string, kind: ToolTextKind, text: string): Words {
  const given = config as Partial<ServerConfig> | undefined;
  return given?.type === 'inMemory' && given.builtin
    ? { id: builtinToolId(given.builtin, tool, kind), text }
    : text;
}
