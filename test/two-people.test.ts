import { describe, expect, it } from 'vitest';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import { ScriptedModel } from './fakes/scripted-model.ts';
import { errorOf, openApi, type TestApi } from './fixtures/http.ts';
import { insertGrant } from '#store/people/grants.ts';
import { addPerson, type Person } from './fixtures/people.ts';
import { hasBody, listRoutes } from './fixtures/routes.ts';

/** The ids of everything somebody has, by the part of the path that names its kind. */
type Ids = Record<string, string>;

const server = { type: 'streamableHttp', name: 'web', baseUrl: 'https://mcp.example/mcp' };

/** One of everything that people can have. */
async function belongings(api: TestApi, owner: Person): Promise<Ids> {
  const made = async (path: string, body: object) =>
    (await owner.json<{ id: string }>('POST', path, body)).id;
  const topics = await made('/api/topics', { title: 'Secret plans' });
  const sent = await owner.json<{ userMessageId: string; answerId: string }>(
    'POST',
    `/api/topics/${topics}/messages`,
    {
      text: 'secret words',
    },
  );
  const call = { arguments: { path: 'a.txt', content: 'a' } };
  const uploaded = await owner.json<{ id: string }>('POST', '/api/files', { secret: 'bytes' });
  return {
    topics,
    answers: sent.answerId,
    messages: sent.userMessageId,
    servers: await made('/api/servers', server),
    bundles: await made('/api/servers', { ...server, name: 'bundled' }),
    assistants: await made('/api/assistants', { name: 'Helper' }),
    providers: await made('/api/providers', { name: 'openai', apiKey: 'sk-secret' }),
    'tool-calls': await made('/api/servers/filesystem/tools/write_file/call', call),
    blobs: uploaded.id,
    keys: await made('/api/keys', { name: 'script' }),
    grants: await connectedGrant(api, owner.id),
    'sign-ins': (await owner.json<{ signIns: Ids[] }>('GET', '/api/sign-ins')).signIns[0]?.id ?? '',
    inputs: await askedInput(api, owner.id),
    registry: await made('/api/registry/requests', await firstEntry(owner)),
    models: 'assistant%2FHelper',
    responses: await made('/v1/responses', { model: 'demo/scripted', input: 'secret words' }),
  };
}

/** A program that somebody connected. */
async function connectedGrant(api: TestApi, owner: string): Promise<string> {
  const id = `grant-of-${owner}`;
  const program = { programId: 'p', programName: 'secret', redirectUri: 'http://127.0.0.1/' };
  const times = { createdAt: Date.now(), expiresAt: Date.now() + 3_600_000 };
  const grant = { id, owner, ...program, resource: '/mcp', challenge: 'x', ...times };
  await insertGrant(api.host.store.db, grant, id);
  return id;
}

/** An entry of the catalogue that ships, as a request names it. */
async function firstEntry(owner: Person): Promise<object> {
  const { entries } = await owner.json<{ entries: Ids[] }>('GET', '/api/registry/servers');
  const { registry, name, version } = entries[0] ?? {};
  return { registry, name, version, place: 'packages[0]' };
}

/** A question of a server that waits for somebody. */
async function askedInput(api: TestApi, owner: string): Promise<string> {
  const view = { id: `input-of-${owner}`, serverId: 's', serverName: 's', kind: 'url' as const };
  const at = Date.now();
  await api.host.store.db
    .insertInto('inputs')
    .values({
      id: view.id,
      owner,
      call_id: null,
      server_id: 's',
      view: JSON.stringify({ ...view, message: 'm', url: 'https://a.example', createdAt: at }),
      instance: null,
      created_at: at,
      expires_at: null,
      answer: null,
      closed_at: null,
    })
    .execute();
  return view.id;
}

const hash = { argsHash: 'x' };
/** What makes each request a valid one, so that only the id can be what is wrong. */
const bodies: Record<string, (ids: Ids) => unknown> = {
  'POST /api/topics/{id}/messages': () => ({ text: 'hello' }),
  'POST /api/topics/{id}/ui': () => ({
    messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
  }),
  'POST /api/tool-calls/{id}/decision': () => ({ decision: 'approve', ...hash }),
  'POST /api/servers/{id}/approve': () => ({ launchHash: 'x' }),
  'POST /api/servers/{id}/rehearsal': () => ({ launchHash: 'x', toolCallIds: [] }),
  'POST /api/servers/{id}/tools/{name}/approve': () => ({ definitionHash: 'x' }),
  'POST /api/servers/{id}/resources/read': () => ({ uri: 'file:///a' }),
  'POST /api/servers/{id}/skills/read': () => ({ uri: 'skill://a/SKILL.md' }),
  'POST /api/servers/{id}/complete': () => ({
    ref: { prompt: 'p' },
    argument: { name: 'a', value: '' },
  }),
  'POST /api/inputs/{id}': () => ({ action: 'cancel' }),
  'POST /api/messages/{id}/translate': () => ({ language: 'de' }),
  'PATCH /api/topics/{id}': () => ({ title: 'Mine now' }),
  'PATCH /api/assistants/{id}': () => ({ name: 'Mine now' }),
  'PATCH /api/servers/{id}': () => ({ name: 'Mine now' }),
};

/** The same for what stands behind the question mark. */
const queries: Record<string, string> = {
  'GET /api/servers/{id}/resources/events': '?uri=file:///a',
};

/** What admins decide about everybody. */
const isForAdmins = (path: string) =>
  path.startsWith('/api/users/') || path.startsWith('/api/registry/requests/{id}/');

/** Their ids are of the reader's choice, each person's apart: tried where streams are. */
const isOwnNaming = (path: string) => path.startsWith('/api/streams/');

/** Every route that names something by an id, with that id filled in. */
async function idRoutes(api: TestApi, ids: Ids) {
  const routes = await listRoutes(api);
  return routes
    .filter(({ path }) => path.includes('{id}') && !isForAdmins(path) && !isOwnNaming(path))
    .map(({ method, path }) => {
      const kind = path.split('/')[2] ?? '';
      const id = ids[kind];
      if (id === undefined) throw new Error(`nothing of the kind ${kind} for ${method} ${path}`);
      const make = bodies[`${method} ${path}`];
      const body = hasBody(method) ? (make?.(ids) ?? {}) : undefined;
      const query = queries[`${method} ${path}`] ?? '';
      const fill = (with_: string) =>
        path.replace('{id}', with_).replace('{name}', 'x').concat(query);
      return { method, path, theirs: fill(id), unknown: fill('no-such-id'), body };
    });
}

describe('two people on one host (T38, T39)', () => {
  it('cannot reach anything of each other by its id, on any route', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const ben = await addPerson(api, 'Ben');
    const ids = await belongings(api, ana);
    const routes = await idRoutes(api, ids);
    expect(routes.length).toBeGreaterThan(35);
    const wrong: string[] = [];
    for (const who of [ben, api])
      for (const { method, theirs, unknown, body } of routes) {
        const got = await answer(await who.send(method, theirs, body));
        const none = await answer(await who.send(method, unknown, body));
        if (got.status !== 404 || JSON.stringify(got) !== JSON.stringify(none))
          wrong.push(`${method} ${theirs}: ${JSON.stringify(got)} but ${JSON.stringify(none)}`);
      }
    expect(wrong).toEqual([]);
    const own = await ana.send('GET', `/api/topics/${ids['topics']}`);
    expect(await own.text()).toContain('secret words');
  });

  it('see nothing of each other in any list, search or stream', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const ben = await addPerson(api, 'Ben');
    const listen = (path: string) => ben.send('GET', path);
    const streams = [await listen('/api/events'), await listen('/api/streams/early')];
    const ids = await belongings(api, ana);
    // Who comes later is first told of everything that waits.
    streams.push(await listen('/api/events'), await listen('/api/streams/late'));
    const secrets = [...Object.values(ids), ana.id, 'Secret plans', 'secret words', 'sk-secret'];
    const routes = (await listRoutes(api)).filter(
      ({ method, path }) => method === 'GET' && !path.includes('{') && path !== '/api/events',
    );
    expect(routes.length).toBeGreaterThan(10);
    for (const { path } of routes) {
      const text = await (await ben.send('GET', `${path}?q=secret`)).text();
      expect(
        secrets.filter((secret) => text.includes(secret)),
        path,
      ).toEqual([]);
    }
    await ben.send('POST', '/api/topics', { title: 'the last event' });
    for (const stream of streams) {
      const heard = await readUntil(stream, 'the last event');
      expect(secrets.filter((secret) => heard.includes(secret))).toEqual([]);
    }
  });

  it('have built-in servers, a memory and files of their own', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const ben = await addPerson(api, 'Ben');
    for (const who of [ana, ben, api])
      await who.send('PUT', '/api/policy', { rules: [{ action: 'allow' }] });
    const entities = [{ name: 'Plan', entityType: 'secret', observations: ['at dawn'] }];
    await call(ana, 'memory', 'create_entities', { entities });
    await call(ana, 'filesystem', 'write_file', { path: 'a.txt', content: 'of Ana' });
    expect(await call(ana, 'memory', 'read_graph', {})).toContain('at dawn');
    expect(await call(ana, 'filesystem', 'read_text_file', { path: 'a.txt' })).toContain('of Ana');
    for (const who of [ben, api]) {
      expect(await call(who, 'memory', 'read_graph', {})).not.toContain('at dawn');
      const file = await call(who, 'filesystem', 'read_text_file', { path: 'a.txt' });
      expect(file).not.toContain('of Ana');
      const escape = { path: `../workspaces/${ana.id}/a.txt` };
      expect(await call(who, 'filesystem', 'read_text_file', escape)).not.toContain('of Ana');
    }
  });

  it('cannot name servers of each other, when saving or when asking', async () => {
    const fake = new ScriptedModel();
    const api = await openApi({ models: { 'fake/model': fake } });
    const ana = await addPerson(api, 'Ana');
    const ben = await addPerson(api, 'Ben');
    const { id: theirs } = await ana.json<{ id: string }>('POST', '/api/servers', server);
    const { id: topic } = await ben.json<{ id: string }>('POST', '/api/topics', {});
    const { id: assistant } = await ben.json<{ id: string }>('POST', '/api/assistants', {
      name: 'A',
    });
    const requests = (id: string): [string, string, unknown][] => {
      const mcp = { enabled: true, mode: 'manual', selectedServers: [id] };
      return [
        ['POST', '/api/assistants', { name: 'B', mcp }],
        ['PATCH', `/api/assistants/${assistant}`, { mcp }],
        ['PATCH', `/api/topics/${topic}`, { mcp }],
        ['POST', `/api/topics/${topic}/messages`, { text: 'hi', tools: { servers: [id] } }],
        ['PUT', '/api/policy', { rules: [{ action: 'allow', serverId: id }] }],
        ['PUT', '/api/policy', { rules: [], trustedServers: [id] }],
        ['PUT', '/api/policy', { rules: [], safeToRepeat: [{ serverId: id, toolName: 'x' }] }],
        ['POST', '/api/policy/test', { serverId: id, toolName: 'x' }],
      ];
    };
    for (const [place, [method, path, body]] of requests(theirs).entries()) {
      const got = await errorOf(await ben.send(method, path, body));
      const [, , unknown] = requests('no-such-id')[place] ?? [];
      expect(got, `${method} ${path}`).toMatchObject({ status: 404, code: 'server_not_found' });
      expect(await errorOf(await ben.send(method, path, unknown))).toEqual(got);
    }
    const stored = { enabled: true, mode: 'manual', selectedServers: [theirs, 'calculator'] };
    await api.host.store.db
      .updateTable('topics')
      .set({ mcp: JSON.stringify(stored) })
      .where('id', '=', topic)
      .execute();
    const model = 'fake/model';
    const { answerId } = await ben.json<{ answerId: string }>(
      'POST',
      `/api/topics/${topic}/messages`,
      { text: 'hi', model },
    );
    await finishedOf(ben, topic, answerId);
    const offered = fake.requests[0]?.tools.map(({ name }) => name);
    expect(offered).toContain('mcp__calculator__calculate');
    expect(offered?.filter((name) => name.includes('web'))).toEqual([]);
  });

  it('cannot name topics, assistants, messages or files of each other', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const ben = await addPerson(api, 'Ben');
    const ids = await belongings(api, ana);
    const { id: topic } = await ben.json<{ id: string }>('POST', '/api/topics', {});
    const requests = (of: Ids): [string, string, unknown][] => [
      ['POST', '/api/topics', { assistantId: of['assistants'] }],
      ['PATCH', `/api/topics/${topic}`, { assistantId: of['assistants'] }],
      ['PATCH', `/api/topics/${topic}`, { activeLeafId: of['answers'] }],
      ['POST', `/api/topics/${topic}/messages`, { text: 'hi', parentId: of['answers'] }],
      ['POST', `/api/topics/${topic}/messages`, { text: 'hi', files: [of['blobs']] }],
      ['POST', '/api/servers', { ...server, attachedTo: { topic: of['topics'] } }],
      ['POST', '/api/servers', { ...server, attachedTo: { assistant: of['assistants'] } }],
      ['PUT', '/api/policy', { rules: [{ action: 'allow', topicId: of['topics'] }] }],
      [
        'POST',
        '/api/policy/test',
        { serverId: 'calculator', toolName: 'calculate', topicId: of['topics'] },
      ],
    ];
    const none = Object.fromEntries(Object.keys(ids).map((kind) => [kind, 'no-such-id']));
    for (const [place, [method, path, body]] of requests(ids).entries()) {
      const [, , unknown] = requests(none)[place] ?? [];
      const got = await errorOf(await ben.send(method, path, body));
      const expected = await errorOf(await ben.send(method, path, unknown));
      expect(got.status, `${method} ${path} ${JSON.stringify(body)}`).toBe(404);
      expect(got.code).toBe(expected.code);
    }
  });

  it('may name their calls as they like, but not as somebody else did', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const ben = await addPerson(api, 'Ben');
    const body = { arguments: { expression: '1+1' }, callId: 'mine' };
    const path = '/api/servers/calculator/tools/calculate/call';
    expect((await ana.send('POST', path, body)).status).toBe(200);
    expect((await ben.send('POST', path, body)).status).toBe(409);
    expect((await ana.send('POST', path, body)).status).toBe(409);
  });
});

/** An answer without what may differ from id to id. */
async function answer(response: Response): Promise<{ status: number; error?: ErrorInfo }> {
  if (!response.ok) return { status: response.status, ...((await response.json()) as object) };
  await response.body?.cancel();
  return { status: response.status };
}

/** What comes of a call, as text; the policy must allow it. */
async function call(
  who: Pick<Person, 'send'>,
  serverId: string,
  toolName: string,
  args: object,
): Promise<string> {
  const path = `/api/servers/${serverId}/tools/${toolName}/call`;
  const response = await who.send('POST', path, { arguments: args });
  expect(response.status).not.toBe(202);
  return response.text();
}

/** Resolves when the end of an answer was heard. */
async function finishedOf(who: Person, topicId: string, answerId: string): Promise<void> {
  const stream = await who.send('GET', `/api/topics/${topicId}/events?after=0`);
  await readUntil(stream, `"type":"message-end","messageId":"${answerId}"`);
}

async function readUntil(stream: Response, text: string): Promise<string> {
  const reader = stream.body?.getReader();
  const decoder = new TextDecoder();
  let heard = '';
  while (!heard.includes(text)) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) throw new Error(`the stream ended before ${text}: ${heard.slice(-500)}`);
    heard += decoder.decode(value);
  }
  await reader?.cancel();
  return heard;
}
