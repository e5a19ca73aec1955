import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../../test/fixtures/http.ts';

interface Operation {
  summary: string;
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

/** The routes of the API that docs/routes.md lists; these two are for browsers and in no document. */
function routesInDocs(): string[] {
  const text = readFileSync(new URL('../../../docs/routes.md', import.meta.url), 'utf8');
  const pages = new Set(['GET /api/oauth/callback', 'GET /api/openapi.json']);
  const routes = [...text.matchAll(/^\| `(\w+ \/(?:api|v1)\/[^`]*)`/gm)].map(
    ([, route = '']) => route,
  );
  return routes.filter((route) => !pages.has(route));
}

async function read() {
  const api = await openApi();
  const document = await api.json<Document>('GET', '/api/openapi.json');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return { document, operations };
}

describe('the OpenAPI document', () => {
  it('lists the routes that others build on', async () => {
    const { operations } = await read();
    const listed = operations.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(listed.toSorted()).toEqual(routesInDocs().toSorted());
  });

  it('T81: is made once, however often it is asked for', async () => {
    const api = await openApi();
    const ask = async () => {
      const before = process.threadCpuUsage();
      await api.json('GET', '/api/openapi.json');
      return process.threadCpuUsage(before).user / 1000;
    };
    await ask();
    let total = 0;
    for (let n = 0; n < 20; n += 1) total += await ask();
    expect(total).toBeLessThan(300);
  });

  it('has the shape of OpenAPI 3.1', async () => {
    const { document, operations } = await read();
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: 'Cerise', version: expect.any(String) });
    expect(Object.keys(document.components.securitySchemes)).toEqual(['token', 'session']);
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(described.map(({ name }) => name)).toEqual(inPath);
      expect(described.every(({ required }) => required)).toBe(true);
      expect(operation.summary).toMatch(/^[A-Z].*\.$/);
      expect(Object.keys(operation.responses)).toContain('default');
      for (const response of Object.values(operation.responses))
        expect(response.description).toBeTruthy();
    }
  });

  it('points only at schemas it has', async () => {
    const { document } = await read();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    const pointers = new Set(references.map(([, pointer]) => pointer));
    for (const name of Object.keys(document.components.schemas))
      pointers.delete(`#/components/schemas/${name}`);
    expect([...pointers]).toEqual([]);
  });

  it('describes the bodies that the routes validate', async () => {
    const { document } = await read();
    const send = document.paths['/api/topics/{id}/messages']?.['post'];
    const schema = send?.requestBody?.content['application/json']?.schema;
    expect(schema).toMatchObject({ required: ['text'], additionalProperties: false });
  });
});
