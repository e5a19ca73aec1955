import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { refusalOf } from '#chat/people/admin-fields.ts';
import type { ServerView } from '#shared/api/api.ts';
import { exportLineSchema } from '#shared/api/export-file.ts';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import { serverConfigSchema } from '#shared/vocabulary/server.ts';
import { listServers } from '#store/configuration/servers.ts';
import { openApi, type TestApi } from './fixtures/http.ts';
import { addPerson, type Person } from './fixtures/people.ts';
import {
  fieldsOf,
  type RequestField,
  routeFields,
  type RouteFields,
} from './fixtures/request-fields.ts';
import { undecided } from './fixtures/reviewed-fields.ts';

const web = { type: 'streamableHttp', name: 'web', baseUrl: 'https://public.example/mcp' };

/** Somebody who is no admin, with one of everything that can be changed. */
async function plainUser(api: TestApi) {
  const ana = await addPerson(api, 'Ana');
  const made = async (path: string, body: object) =>
    (await ana.json<{ id: string }>('POST', path, body)).id;
  const ids: Record<string, string> = {
    topics: await made('/api/topics', { title: 'One' }),
    assistants: await made('/api/assistants', { name: 'Helper' }),
    servers: await made('/api/servers', web),
    providers: await made('/api/providers', { name: 'openai', apiKey: 'sk-1' }),
    keys: await made('/api/keys', { name: 'One' }),
  };
  return { ana, ids };
}

/** What somebody keeps although only admins may set it; must be nothing. */
async function keptByMistake({ host }: TestApi, { id: owner }: Person): Promise<unknown[]> {
  const box = { seal: (value: string) => value, open: () => 'https://sealed.example' };
  const servers = (await listServers(host.store.db, box, owner)).filter(
    (record) => record.shared || refusalOf(serverConfigSchema, record.config),
  );
  const providers = (await host.providers.list(owner)).filter(
    (one) => !one.readOnly && (one.shared || one.adminOnly || one.kind === 'ollama'),
  );
  const { trustedServers, safeToRepeat } = await host.policy.read(owner);
  const own = await host.settings.get(owner);
  const ofHost = await host.settings.get('local');
  const marks = [...trustedServers, ...safeToRepeat, ...own.fetchAllow, ...ofHost.fetchAllow];
  return [...servers, ...providers, ...marks, ...(ofHost.webSearch ? [ofHost.webSearch] : [])];
}

/** Every route, except those that end the session of whoever asks. */
const isTried = ({ path }: RouteFields) =>
  !path.startsWith('/api/me/') &&
  !path.startsWith('/api/sign-') &&
  // Goes out to the vendor; it sets nothing.
  path !== '/api/providers/{id}/test';

/** What of a body the schema cannot say: rules name servers that exist, and a server needs an address. */
function sensible(path: string, body: Json): Json {
  const named = JSON.stringify(body).replaceAll('"x"', '"calculator"');
  if (path === '/api/policy') return JSON.parse(named) as Json;
  const isBare = path === '/api/servers' && !('type' in (body as JsonObject));
  return isBare ? { ...web, ...(body as JsonObject) } : body;
}

/** On things that exist; what would connect a server does so to one of our own. */
function pathOn(path: string, ids: Record<string, string>): string {
  const isConnecting = path.startsWith('/api/servers/{id}/');
  const id = isConnecting ? 'calculator' : (ids[path.split('/')[2] ?? ''] ?? 'none');
  return path.replace('{id}', id).replace('{name}', 'x');
}

/** Takes away what came of an attempt, so that no limit stops the next one. */
async function tidy({ host }: TestApi, { id: owner }: Person, keep: string): Promise<void> {
  for (const { id, builtin } of host.servers.list(owner))
    if (id !== keep && !builtin) await host.servers.remove(owner, id);
}

type Send = (ana: Person, ids: Record<string, string>, body: Json) => Promise<Response>;

/** Every way that a server comes in by, besides the route that is for it. */
const ways: { way: string; send: Send }[] = [
  {
    way: 'a change',
    send: (ana, ids, body) => {
      const { type } = body as JsonObject;
      const change = { ...(type === 'stdio' && { baseUrl: null }), ...(body as JsonObject) };
      return ana.send('PATCH', `/api/servers/${ids['servers']}`, change);
    },
  },
  { way: 'a session server of a topic', send: attached((ids) => ({ topic: ids['topics'] ?? '' })) },
  {
    way: 'a session server of an assistant',
    send: attached((ids) => ({ assistant: ids['assistants'] ?? '' })),
  },
  {
    way: 'an import',
    send: (ana, _ids, body) => importText(ana, JSON.stringify({ mcpServers: { x: body } })),
  },
  {
    way: 'a dry run of an import',
    send: (ana, _ids, body) => importText(ana, JSON.stringify({ mcpServers: { x: body } }), true),
  },
  {
    way: 'an install link',
    send: (ana, _ids, body) =>
      importText(ana, `vscode:mcp/install?${encodeURIComponent(JSON.stringify(body))}`),
  },
  { way: 'an import of data', send: (ana, _ids, body) => importData(ana, body) },
  {
    way: 'an import of data, attached',
    send: (ana, ids, body) => importData(ana, body, { topic: ids['topics'] ?? '' }),
  },
];

function attached(place: (ids: Record<string, string>) => object): Send {
  return (ana, ids, body) =>
    ana.send('POST', '/api/servers', { ...(body as object), attachedTo: place(ids) });
}

function importText(ana: Person, text: string, dryRun = false): Promise<Response> {
  return ana.send('POST', '/api/servers/import', { text, dryRun });
}

function importData(ana: Person, config: Json, attachedTo?: object): Promise<Response> {
  const server = { id: 'theirs', config, ...(attachedTo && { attachedTo }) };
  return ana.upload('/api/data/import?existing=copy', [
    { kind: 'cerise-export', version: 1, exportedAt: 1 },
    { kind: 'server', server },
    { kind: 'end' },
  ]);
}

describe('T77: a person who is no admin', () => {
  it('sets no field that only admins may set, by any route', async () => {
    const api = await openApi();
    const { ana, ids } = await plainUser(api);
    const named = new Set<string>();
    const wanted = new Set<string>();
    for (const route of (await routeFields(api)).filter(isTried))
      for (const { field, adminOnly, body } of route.fields) {
        const path = pathOn(route.path, ids);
        const response = await ana.send(route.method, path, sensible(route.path, body));
        const text = await response.text();
        const said = `${route.method} ${path} ${field} ${JSON.stringify(body)}: ${text}`;
        expect(response.status, said).not.toBe(500);
        expect(await keptByMistake(api, ana), said).toEqual([]);
        await tidy(api, ana, ids['servers'] ?? '');
        if (adminOnly === undefined) continue;
        const place = `${route.method} ${route.path} ${field}`;
        wanted.add(place);
        if (response.status === 403 && text.includes('"field":')) named.add(place);
        expect(response.status, said).toBeGreaterThanOrEqual(400);
      }
    expect(wanted.size).toBeGreaterThan(30);
    // A union tries each field several times: at least once it was the only thing wrong.
    expect([...wanted].filter((place) => !named.has(place))).toEqual(onlyInvalid);
  });

  it.each(ways)('adds no such field of a server by $way', async ({ send }) => {
    const api = await openApi();
    const { ana, ids } = await plainUser(api);
    let refused = 0;
    for (const field of await serverFields(api)) {
      const text = await (await send(ana, ids, field.body)).text();
      expect(await keptByMistake(api, ana), `${JSON.stringify(field)}: ${text}`).toEqual([]);
      await tidy(api, ana, ids['servers'] ?? '');
      if (text.includes('admin_only') || text.includes('address_blocked')) refused += 1;
    }
    expect(refused).toBeGreaterThanOrEqual(10);
    const { config } = await ana.json<ServerView>('GET', `/api/servers/${ids['servers']}`);
    expect(refusalOf(serverConfigSchema, config)).toBeUndefined();
  });

  it('finds every field decided whose name says that it may reach the machine or trust somebody', async () => {
    const api = await openApi();
    const lines = z.toJSONSchema(exportLineSchema, { io: 'input', unrepresentable: 'any' });
    const fields = [...fieldsOf(lines as JsonObject)];
    const imported = { method: 'a', path: 'line of an import', fields };
    expect(undecided([...(await routeFields(api)), imported])).toEqual([]);
  });
});

/** Refused before anybody is asked: a session server has no field beside its config. */
const onlyInvalid = ['POST /api/assistants sessionServers.[].shared'];

/** Types whose fields another one has as well. */
const alike: ReadonlySet<Json | undefined> = new Set(['sse', 'inMemory']);

/** Every field of a server once, in a config that sets it. */
async function serverFields(api: TestApi): Promise<RequestField[]> {
  const routes = await routeFields(api);
  const route = routes.find(({ method, path }) => `${method} ${path}` === 'POST /api/servers');
  const fields = route?.fields.filter(({ body }) => !alike.has((body as JsonObject).type));
  return [...new Map(fields?.map((field) => [field.field, field])).values()];
}
