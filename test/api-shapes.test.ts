import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApi } from './fixtures/http.ts';

type Fields = Map<string, { isOptional: boolean }>;
interface Shape {
  text: string;
  fields: Fields;
  /** It names only some of the fields. */
  isPart: boolean;
}
interface Operation {
  /** As documents write it: `POST /api/topics/:id/messages`. */
  route: string;
  objects: Fields[];
}

/** What the documents describe although it is in no answer of a route: events, frames, examples. */
const described = new Set([
  '{seq, type, messageId?, blockId?, …}',
  '{topicId}',
  '{"MODEL": true | false}',
  '{status: draining}',
  '{status: not_ready, problems}',
]);

/** The fields of `{a, b?, c: {d}}`: a and c, and b that may be absent. */
function readShape(text: string): Shape {
  const fields: Fields = new Map();
  for (const part of partsOf(text.slice(1, -1))) {
    const [, name, mark] = /^"?(\w+|…)"?(\?)?(?::|$)/.exec(part.trim()) ?? [];
    if (!name) throw new Error(`${text}: “${part}” is no field`);
    if (name !== '…') fields.set(name, { isOptional: mark === '?' });
  }
  return { text, fields, isPart: /^\{.*…\}$/s.test(text) };
}

/** What stands between commas, those inside of brackets left out. */
function partsOf(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of text) {
    depth += '{[('.includes(sign) ? 1 : '}])'.includes(sign) ? -1 : 0;
    if (sign === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop()}${sign}`);
  }
  return parts;
}

/** What stands in curly brackets, the inner ones too. */
function bracesIn(text: string): string[] {
  const starts: number[] = [];
  const found: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') starts.push(at);
    if (text[at] === '}') found.push(text.slice(starts.pop(), at + 1));
  }
  return found;
}

/** Every object that a JSON schema has in it. */
function objectsIn(schema: unknown): Fields[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inside = Object.values(schema).flatMap(objectsIn);
  const { type, properties, required } = schema as Record<string, unknown>;
  if (type !== 'object' || !properties) return inside;
  const isNeeded = (name: string) => Array.isArray(required) && required.includes(name);
  const names = Object.keys(properties);
  return [new Map(names.map((name) => [name, { isOptional: !isNeeded(name) }])), ...inside];
}

function fits({ fields, isPart }: Shape, object: Fields): boolean {
  if (!isPart && fields.size !== object.size) return false;
  return [...fields].every(([name, { isOptional }]) => object.get(name)?.isOptional === isOptional);
}

/** Shapes in the code spans of a text. */
function shapesIn(text: string): Shape[] {
  return [...text.matchAll(/`(\{[^`]*\})`/g)].flatMap(([, span = '']) =>
    described.has(span) ? [] : bracesIn(span.replaceAll('\\|', '|')).map(readShape),
  );
}

/** The routes that the first cell of a row names; `/stop` after a route stands for its last part. */
function routesIn(cell: string): string[] {
  const routes: string[] = [];
  let methods: string[] = [];
  let path = '';
  let isOver = false;
  for (const [, span = ''] of cell.matchAll(/`([^`]*)`/g)) {
    const [, method, own] =
      /^(GET|POST|PATCH|PUT|DELETE)? ?(\/[^?]*)?$/.exec(span.split('?')[0] ?? '') ?? [];
    if (isOver || !(method ?? own)) methods = own && !method ? methods : [];
    if (method) methods = [...methods, method];
    isOver = own !== undefined;
    if (!own) continue;
    path = method || own.startsWith('/api/') ? own : path.replace(/\/[^/]*$/, own);
    routes.push(...methods.map((each) => `${each} ${path}`));
  }
  return routes;
}

async function readApi(): Promise<{ operations: Operation[]; common: Fields[] }> {
  const api = await openApi();
  const document = await api.json<{
    paths: Record<string, Record<string, object>>;
    components: object;
  }>('GET', '/api/openapi.json');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      objects: objectsIn(operation),
    })),
  );
  return { operations, common: objectsIn(document.components) };
}

const read = (file: string) => readFileSync(join(import.meta.dirname, '../docs', file), 'utf8');

describe('what the documents say of the API', () => {
  it.each(['api.md', 'policy.md'])('has the fields of its schemas: %s', async (file) => {
    const { operations, common } = await readApi();
    const wrong: string[] = [];
    let count = 0;
    for (const paragraph of read(file).split(/\n\n|\n(?=\|)/)) {
      const row = /^\|(.*?)\|(.*)\|$/s.exec(paragraph);
      const routes = routesIn(row?.[1] ?? '');
      const known = operations
        .filter(({ route }) => routes.length === 0 || routes.includes(route))
        .flatMap(({ objects }) => objects);
      for (const shape of shapesIn(row?.[2] ?? paragraph)) {
        count += 1;
        const isThere = [...known, ...common].some((each) => fits(shape, each));
        if (!isThere) wrong.push(`${routes.join()} ${shape.text}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(0);
  });

  it('names every route, and no other', async () => {
    const { operations } = await readApi();
    const all = operations.map(({ route }) => route);
    const named = new Set(
      read('api.md')
        .split(/\n\n|\n(?=\|)/)
        .flatMap((paragraph) => routesIn(/^\|(.*?)\|/s.exec(paragraph)?.[1] ?? paragraph)),
    );
    expect(all.filter((route) => !named.has(route))).toEqual([]);
    const routes = read('routes.md');
    expect([...named].filter((route) => !routes.includes(`\`${route}\``))).toEqual([]);
  });
});
