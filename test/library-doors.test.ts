import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Declaration {
  type: string;
  source?: { value: string } | null;
  importKind?: string;
  exportKind?: string;
  specifiers?: { importKind?: string; exportKind?: string }[];
}

/** What a file loads when it is loaded: neither types nor what it imports only when it needs it. */
function loadedBy(path: string): string[] {
  const { program } = parseSync(path, readFileSync(posix.join(root, path), 'utf8'));
  return (program.body as unknown as Declaration[]).flatMap((node) => {
    const { source, specifiers = [] } = node;
    if (!source || node.importKind === 'type' || node.exportKind === 'type') return [];
    const isType = (each: { importKind?: string; exportKind?: string }) =>
      each.importKind === 'type' || each.exportKind === 'type';
    return specifiers.length > 0 && specifiers.every(isType) ? [] : [source.value];
  });
}

/** Every file and package that a door loads. */
function reach(door: string): Set<string> {
  const reached = new Set<string>();
  const walk = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const specifier of loadedBy(path)) {
      if (specifier.startsWith('#')) walk(`src/${specifier.slice(1)}`);
      else if (specifier.startsWith('.')) walk(posix.join(posix.dirname(path), specifier));
      else reached.add(specifier);
    }
  };
  walk(door);
  return reached;
}

const matching = (door: string, pattern: RegExp) =>
  [...reach(door)].filter((path) => pattern.test(path));

describe('the doors of the library', () => {
  it('can be seen to load what they load', () => {
    expect(matching('src/library/cerise.ts', /^src\/store\/|^kysely$/)).not.toEqual([]);
  });

  it.each(['mcp', 'stream', 'shared', 'client'])(
    'load no database, no host and no HTTP server for cerise/%s',
    (door) => {
      const heavy =
        /^src\/(?:store|server|cli|chat\/(?:host|data|conversations))\/|^(?:kysely|pg|hono|pino|node:sqlite)$/;
      expect(matching(`src/library/${door}.ts`, heavy)).toEqual([]);
    },
  );

  it('load nothing of models for cerise/mcp, and nothing of MCP for cerise/stream', () => {
    expect(matching('src/library/mcp.ts', /^src\/(?:models|chat)\/|^@ai-sdk/)).toEqual([]);
    expect(
      matching(
        'src/library/stream.ts',
        /^src\/(?:mcp\/|tools\/(?!results\/citations))|^@modelcontextprotocol/,
      ),
    ).toEqual([]);
  });

  it('load no package at all for cerise/stream', () => {
    expect(matching('src/library/stream.ts', /^(?!src\/|node:)/)).toEqual([]);
  });

  it('load only what a browser has for cerise/shared and cerise/client', () => {
    for (const door of ['shared', 'client'])
      expect(matching(`src/library/${door}.ts`, /^(?!src\/|zod$)/)).toEqual([]);
  });
});
