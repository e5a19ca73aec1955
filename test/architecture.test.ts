import { readFileSync, globSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { rooms } from './rooms.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Which folders of src a folder may import besides itself (docs/decisions/0001). */
const mayImport: Record<string, string[]> = {
  cli: ['server', 'chat', 'client', 'shared'],
  server: ['chat', 'shared'],
  chat: ['tools', 'mcp', 'models', 'store', 'shared'],
  tools: ['mcp', 'shared'],
  mcp: ['shared'],
  models: ['shared'],
  store: ['shared'],
  web: ['client', 'shared'],
  client: ['shared'],
  shared: [],
  /** The doors of the public library, which only pass on. */
  library: ['chat', 'tools', 'mcp', 'models', 'store', 'client', 'shared'],
};

/** As many code files as a folder may hold; texts and migrations are data. */
const mostFiles = 25;
const dataFolders = new Set(['src/store/migrations', 'src/web/messages/en', 'src/web/messages/zh']);

/** Folders that also run in a browser. */
const browserSafe = new Set(['shared', 'client', 'web']);
/** Folders that run anywhere, with the only packages they may need. */
const portable: Record<string, string[]> = { shared: ['zod'], client: ['zod'] };

/** Everything a file of src does that the layout of the repository does not allow. */
function findViolations(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) return [`${path} cannot be parsed: ${errors[0]?.message}`];
  const folder = path.split('/')[1] ?? '';
  if (!(folder in mayImport)) return [`${path} is in no known folder of src`];
  const found = importsOf(program).flatMap((specifier) => judgeImport(path, folder, specifier));
  if (folder === 'client' && !isTestFile(path)) found.push(...globalsOfNode(program));
  if (folder !== 'library' && isBarrel(program)) {
    found.push('only passes on what other files export (a barrel)');
  }
  return found.map((sentence) => `${path} ${sentence}`);
}

function isTestFile(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

/** Names that only Node has, by which something would need it without an import. */
function globalsOfNode(program: unknown): string[] {
  const found = new Set<string>();
  visit(program, (node) => {
    const name = String(node['name']);
    if (node['type'] === 'Identifier' && ['Buffer', 'setImmediate'].includes(name)) found.add(name);
  });
  return [...found].map((name) => `uses ${name}, which a browser does not have`);
}

function judgeImport(path: string, folder: string, specifier: string | null): string[] {
  const isTest = isTestFile(path);
  if (specifier === null) return ['imports a name that is only known at run time'];
  if (specifier.startsWith('.')) return judgeRelative(path, folder, specifier, isTest);
  if (specifier.startsWith('#')) return judgeAlias(folder, specifier);
  if (isTest || path.endsWith('.config.ts')) return [];
  if (browserSafe.has(folder) && specifier.startsWith('node:')) {
    return [`imports ${specifier}, but ${folder} also runs in a browser`];
  }
  if (path.startsWith('src/web/stream/') && /^(?:react|zustand)/.test(specifier)) {
    return [`imports ${specifier}, but what talks to the host knows nothing of the page`];
  }
  if (portable[folder]?.includes(specifier) === false) {
    return [`imports ${specifier}, but ${folder} may need only ${portable[folder].join(', ')}`];
  }
  return [];
}

function judgeRelative(path: string, folder: string, specifier: string, isTest: boolean) {
  const target = posix.join(posix.dirname(path), specifier);
  if (isTest && target.startsWith('test/')) return [];
  if (target === 'package.json' && !browserSafe.has(folder)) return [];
  if (!target.startsWith(`src/${folder}/`)) {
    return [`imports ${specifier}, which leaves its folder: write #folder/file.ts`];
  }
  // A test may look down on its subject from anywhere.
  const room = isTest ? [] : judgeRoom(path, folder, target);
  return [...room, ...judgeExtension(specifier)];
}

/** The place of a file among the rooms of its folder; undefined if it is in none of them. */
function roomOf(folder: string, path: string): number | undefined {
  const within = path.slice(`src/${folder}/`.length);
  if (!within.includes('/')) return -1;
  const names = rooms[folder] ?? [];
  const around = names.filter((name) => within.startsWith(`${name}/`));
  const nearest = around.toSorted((a, b) => b.length - a.length)[0];
  return nearest === undefined ? undefined : names.indexOf(nearest);
}

/** The page of the web app that a file belongs to. */
function pageOf(path: string): string | undefined {
  return /^src\/web\/pages\/([^/]+)\//.exec(path)?.[1];
}

function judgeRoom(path: string, folder: string, target: string): string[] {
  const names = rooms[folder];
  if (!names) return [];
  const [from, to] = [roomOf(folder, path), roomOf(folder, target)];
  if (from === undefined || to === undefined) return [`or ${target} is in no room of ${folder}`];
  if (pageOf(path) && pageOf(target) && pageOf(path) !== pageOf(target))
    return [`imports ${target}, which is another page`];
  if (from <= to) return [];
  return [`imports ${target}, which is above it: ${names.join(' → ')}`];
}

function judgeAlias(folder: string, specifier: string): string[] {
  const target = specifier.slice(1).split('/')[0] ?? '';
  if (target === folder) return [`imports ${specifier} of its own folder: write ./file.ts`];
  const allowed = mayImport[folder] ?? [];
  if (!allowed.includes(target)) {
    return [
      `imports ${specifier}, but ${folder} may import only ${allowed.join(', ') || 'nothing'}`,
    ];
  }
  return judgeExtension(specifier);
}

/** Node strips types but resolves nothing: a path must name its file. */
function judgeExtension(specifier: string): string[] {
  if (/\.(tsx?|css|json|svg|png)(\?\w+)?$/.test(specifier)) return [];
  return [`imports ${specifier} without its extension`];
}

/** All module names a program mentions in any syntax; null for one that is no literal. */
function importsOf(program: unknown): (string | null)[] {
  const found: (string | null)[] = [];
  visit(program, (node) => {
    if (isImportSyntax(node)) found.push(literal(node['source']));
    if (node['type'] === 'TSExternalModuleReference') found.push(literal(node['expression']));
    if (isCallOfRequire(node)) found.push(literal(first(node['arguments'])));
    if (isModuleUrl(node)) found.push(literal(first(node['arguments'])));
  });
  return found;
}

type Node = Record<string, unknown>;

function isImportSyntax(node: Node): boolean {
  const types = ['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'TSImportType'];
  if (types.includes(String(node['type']))) return true;
  return node['type'] === 'ExportNamedDeclaration' && node['source'] !== null;
}

function isCallOfRequire(node: Node): boolean {
  const callee = node['callee'] as Node | undefined;
  return node['type'] === 'CallExpression' && callee?.['name'] === 'require';
}

/** `new URL('./worker.ts', import.meta.url)` names a module too; a folder or another file does not. */
function isModuleUrl(node: Node): boolean {
  const callee = node['callee'] as Node | undefined;
  if (node['type'] !== 'NewExpression' || callee?.['name'] !== 'URL') return false;
  return /^\.{1,2}\/.*\.tsx?$/.test(literal(first(node['arguments'])) ?? '');
}

function first(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function literal(node: unknown): string | null {
  const value = (node as Node | undefined)?.['value'];
  return typeof value === 'string' ? value : null;
}

function visit(node: unknown, onNode: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, onNode);
  if (!isNode(node)) return;
  onNode(node);
  for (const value of Object.values(node)) visit(value, onNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function isBarrel(program: unknown): boolean {
  const body = (program as { body: Node[] }).body;
  const passesOn = (node: Node) =>
    node['type'] === 'ExportAllDeclaration' ||
    (node['type'] === 'ExportNamedDeclaration' && node['declaration'] === null);
  return (
    body.some(passesOn) &&
    body.every((node) => passesOn(node) || node['type'] === 'ImportDeclaration')
  );
}

const codeFiles = globSync('src/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.(?:test|d)\.tsx?$/.test(file));

/** What each file of src imports of src, types included. */
function importGraph(): Map<string, string[]> {
  const known = new Set(codeFiles);
  return new Map(
    codeFiles.map((file) => {
      const { program } = parseSync(file, readFileSync(`${root}/${file}`, 'utf8'));
      const targets = importsOf(program).flatMap((specifier) => {
        if (specifier?.startsWith('#')) return `src/${specifier.slice(1)}`;
        return specifier?.startsWith('.') ? posix.join(posix.dirname(file), specifier) : [];
      });
      return [file, targets.filter((target) => known.has(target))];
    }),
  );
}

/** One way round for each file that can be reached from itself. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, way: string[]): void => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    done.add(file);
    for (const target of graph.get(file) ?? []) walk(target, [...way, file]);
  };
  for (const file of graph.keys()) walk(file, []);
  return found;
}

describe('the architecture', () => {
  it('has no file that imports itself by a detour, types included', () => {
    expect(findCycles(importGraph())).toEqual([]);
    const planted = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]);
    expect(findCycles(planted)).toEqual(['b → c → b']);
  });

  it('has no folder with more code files than people can look over', () => {
    const counts = new Map<string, number>();
    for (const file of codeFiles) {
      const folder = posix.dirname(file);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const large = [...counts].filter(([folder, n]) => n > mostFiles && !dataFolders.has(folder));
    expect(large).toEqual([]);
  });

  it('draws every room on the map, in its order', () => {
    const flow = readFileSync(`${root}/docs/flow.md`, 'utf8');
    const onMap = (folder: string) => {
      const row = new RegExp(`^\\| \\[${folder}\\].*`, 'm').exec(flow)?.[0] ?? '';
      const names = [...row.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);
      return names.filter((name) => rooms[folder]?.some((room) => room.split('/')[0] === name));
    };
    for (const [folder, all] of Object.entries(rooms))
      expect(onMap(folder)).toEqual([...new Set(all.map((room) => room.split('/')[0]))]);
  });

  it('says what routes take and answer in src/shared/api, not on the routes', () => {
    const routes = codeFiles.filter((file) => file.startsWith('src/server/routes/'));
    const own = routes.filter((file) => readFileSync(`${root}/${file}`, 'utf8').includes("'zod'"));
    expect(routes.length).toBeGreaterThan(10);
    expect(own).toEqual([]);
  });

  it('lets every file of src import only what its folder may import', () => {
    const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).map((file) =>
      file.replaceAll('\\', '/'),
    );
    expect(files.length).toBeGreaterThan(10);
    const violations = files.flatMap((file) =>
      findViolations(file, readFileSync(`${root}/${file}`, 'utf8')),
    );
    expect(violations).toEqual([]);
  });

  it.each([
    ['src/tools/a.ts', `import { run } from '#chat/turn/run-turn.ts';`],
    ['src/tools/a.ts', `import type { Host } from '#chat/host/host.ts';`],
    ['src/models/a.ts', `export { open } from '#store/open.ts';\nexport const a = 1;`],
    ['src/store/a.ts', `const late = await import('#tools/registry/registry.ts');`],
    ['src/mcp/a.ts', `type Late = import('#tools/registry/registry.ts').Registry;`],
    ['src/server/a.ts', `import '#store/open.ts';`],
    ['src/web/a.tsx', `import { main } from '#server/app.ts';\nexport const a = <p>{main}</p>;`],
    ['src/web/a.ts', `import { readFile } from 'node:fs';`],
    ['src/shared/a.ts', `import { hash } from 'node:crypto';`],
    ['src/shared/a.ts', `import { Hono } from 'hono';`],
    ['src/shared/a.ts', `import { run } from '#chat/turn/run-turn.ts';`],
    ['src/chat/a.ts', `import { b } from '../shared/b.ts';`],
    ['src/chat/a.ts', `import { b } from '#chat/b.ts';`],
    ['src/chat/a.ts', `import { fake } from '../../test/fakes/model.ts';`],
    ['src/chat/a.ts', `import { b } from './b';`],
    ['src/chat/a.ts', `const b = await import(name);`],
    ['src/chat/a.ts', `new Worker(new URL('../web/worker.ts', import.meta.url));`],
    ['src/chat/a.ts', `import b = require('../server/b.ts');`],
    ['src/chat/a.ts', `export * from './b.ts';\nexport { c } from './c.ts';`],
    ['src/chat/a.ts', `import { b } from './b.ts';\nexport { b };`],
    ['src/web/a.ts', `import about from '../../package.json' with { type: 'json' };`],
    ['src/chat/topic/a.ts', `import type { b } from '../turn/b.ts';`],
    ['src/chat/topic/a.ts', `import { b } from '../host.ts';`],
    ['src/web/pages/chat/a.ts', `import { b } from '../settings/b.ts';`],
    ['src/web/stream/a.ts', `import { useState } from 'react';`],
    ['src/client/a.ts', `import { useState } from 'react';`],
    ['src/client/a.ts', `import { createHash } from 'node:crypto';`],
    ['src/client/a.ts', `import { main } from '#web/app/main.tsx';`],
    ['src/client/http/a.ts', `import { b } from '../api/b.ts';`],
    ['src/client/a.ts', `export const a = (text: string) => Buffer.from(text);`],
    ['src/server/a.ts', `import { createClient } from '#client/client.ts';`],
    ['src/chat/loft/a.ts', `import { b } from '../topic/b.ts';`],
    ['src/helpers/a.ts', `export const a = 1;`],
    ['src/chat/a.ts', `import {`],
  ])('reports the violation planted in %s: %s', (path, source) => {
    expect(findViolations(path, source)).toHaveLength(1);
  });

  it.each([
    [
      'src/chat/a.ts',
      `// import '#web/app/main.tsx'\nexport const text = "import '#web/app/main.tsx'";`,
    ],
    ['src/chat/a.ts', `import { b } from './b.ts';\nimport { c } from '#shared/c.ts';\nb(c);`],
    ['src/chat/turn/a.ts', `import { b } from '../topic/b.ts';\nb();`],
    ['src/shared/a.ts', `import { z } from 'zod';\nz.string();`],
    ['src/shared/a.test.ts', `import { a } from '../../test/legal-events.ts';\na();`],
    [
      'src/web/app/main.tsx',
      `import './style.css';\nimport { reduce } from '#shared/vocabulary/reduce.ts';`,
    ],
    ['src/cli/a.ts', `import about from '../../package.json' with { type: 'json' };`],
    ['src/library/cerise.ts', `export { createHost } from '#chat/host/host.ts';`],
    ['src/server/a.ts', `const folder = new URL('../../dist/web/', import.meta.url);`],
  ])('finds nothing wrong in %s: %s', (path, source) => {
    expect(findViolations(path, source)).toEqual([]);
  });

  it('lets only its doors fall back to the limits that ship: everything else is given its own', () => {
    const doors = [
      'src/chat/host/host.ts',
      'src/chat/turn/run-agent.ts',
      'src/mcp/service/mcp-service.ts',
      'src/models/answers/answer-bounds.ts',
      'src/shared/vocabulary/limits.ts',
      'src/store/blobs/blobs.ts',
      'src/tools/registry/tools-loader.ts',
      'src/web/state/session/limits.ts',
    ];
    const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter(
      (file) => !/\.test\.tsx?$/.test(file),
    );
    const falling = files.filter((file) =>
      /\b(?:usualLimits|limitsWith)\b/.test(readFileSync(posix.join(root, file), 'utf8')),
    );
    expect(falling.toSorted()).toEqual(doors);
  });
});
