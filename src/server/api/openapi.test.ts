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

const routes = `
DELETE /api/assistants/{id}
DELETE /api/data/topics
DELETE /api/keys/{id}
DELETE /api/messages/{id}
DELETE /api/providers/{id}
DELETE /api/servers/{id}
DELETE /api/sign-ins/{id}
DELETE /api/streams/{id}/topics/{topicId}
DELETE /api/tool-calls
DELETE /api/tool-calls/{id}
DELETE /api/topics/{id}
DELETE /api/users/{id}
DELETE /api/users/{id}/keys/{keyId}
GET /api/about
GET /api/assistants
GET /api/blobs/{id}
GET /api/data
GET /api/data/export
GET /api/events
GET /api/inputs
GET /api/keys
GET /api/me
GET /api/models
GET /api/pictures
GET /api/policy
GET /api/policy/untrusted
GET /api/providers
GET /api/search
GET /api/servers
GET /api/servers/export
GET /api/servers/{id}
GET /api/servers/{id}/diagnosis
GET /api/servers/{id}/logs
GET /api/servers/{id}/prompts
GET /api/servers/{id}/resources
GET /api/servers/{id}/sign-in
GET /api/servers/{id}/status
GET /api/servers/{id}/templates
GET /api/servers/{id}/tools
GET /api/settings
GET /api/sign-in
GET /api/sign-ins
GET /api/streams/{id}
GET /api/tool-calls
GET /api/tool-calls/{id}
GET /api/topics
GET /api/topics/{id}
GET /api/topics/{id}/events
GET /api/topics/{id}/export
GET /api/topics/{id}/messages
GET /api/usage
GET /api/users
GET /api/users/keys
GET /api/vendors
PATCH /api/assistants/{id}
PATCH /api/providers/{id}
PATCH /api/servers/{id}
PATCH /api/topics/{id}
PATCH /api/users/{id}
POST /api/answers/{id}/regenerate
POST /api/answers/{id}/stop
POST /api/assistants
POST /api/data/import
POST /api/files
POST /api/inputs/{id}
POST /api/keys
POST /api/me/password
POST /api/messages/{id}/translate
POST /api/policy/test
POST /api/policy/untrusted/trust
POST /api/providers
POST /api/providers/discover
POST /api/providers/{id}/test
POST /api/servers
POST /api/servers/import
POST /api/servers/sign-in/finish
POST /api/servers/{id}/approve
POST /api/servers/{id}/complete
POST /api/servers/{id}/connect
POST /api/servers/{id}/prompts/{name}/get
POST /api/servers/{id}/resources/read
POST /api/servers/{id}/restart
POST /api/servers/{id}/sign-in
POST /api/servers/{id}/sign-out
POST /api/servers/{id}/stop
POST /api/servers/{id}/tools/{name}/approve
POST /api/servers/{id}/tools/{name}/call
POST /api/sign-in
POST /api/sign-in/link
POST /api/sign-out
POST /api/streams/{id}/topics
POST /api/tool-calls/decisions
POST /api/tool-calls/{id}/abort
POST /api/tool-calls/{id}/decision
POST /api/topics
POST /api/topics/{id}/messages
POST /api/users
PUT /api/policy
PUT /api/settings
`;

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
    const listed = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(listed.toSorted()).toEqual(routes.trim().split('\n'));
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
