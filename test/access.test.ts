import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Access, isEnough } from '#server/api/access.ts';
import { createApp } from '#server/app.ts';
import type { KeyScope } from '#shared/api/people-api.ts';
import { accessTable } from './fixtures/access-table.ts';
import { dump, errorOf, openApi, type TestApi } from './fixtures/http.ts';
import { addPerson, linkCode } from './fixtures/people.ts';
import { sampleRequests } from './fixtures/routes.ts';

const head = `# Routes and permissions

Generated from the routes by \`npx vitest run test/access.test.ts -u\`; a test compares them. Review a change of this file
as a change of permissions.

- **Who**: the scope that an API key needs (\`read\`, \`chat\`, \`admin\`; each includes the previous ones). Signed-in people
  and \`CERISE_TOKEN\` need none. *admins only*: the person must also have the admin role.
- **Secrets**: the request or the response may contain secrets. A key needs the \`admin\` scope, and nothing is stored for
  an \`Idempotency-Key\`.
- **Body**: its type and its size [limit](operating.md#limits). If empty, a JSON body is accepted and ignored.
- **From**: only our own pages can call the route, unless noted otherwise.
- **Servers**: the route reads the servers from the store first, so that it sees changes made by other instances.

`;

function routesOf(api: TestApi) {
  const options = { allowedHosts: () => new Set<string>(), webRoot: '/none' };
  return createApp(api.host, options).routes;
}

/** Routes as the document writes them, each with its access. */
async function accessOf(api: TestApi): Promise<Map<string, Access>> {
  return new Map(
    routesOf(api).map(({ method, path, access }) => [
      `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
      access,
    ]),
  );
}

/** What the access of a route says of a key with this scope; undefined: it is let in. */
function refusal(access: Access, who: { scope?: KeyScope; isAdmin: boolean }): string | undefined {
  if (access.public) return undefined;
  if (who.scope && !isEnough([who.scope], access.scope)) return 'forbidden';
  return access.admin && !who.isAdmin ? 'admin_only' : undefined;
}

describe('access (T86)', () => {
  it('T86: is written down in docs/routes.md for every route', async () => {
    const oidc = { issuer: 'https://id.example', clientId: 'x', name: 'x', groupsClaim: 'groups' };
    const api = await openApi({ oidc });
    const table = accessTable(routesOf(api));
    await expect(head + table).toMatchFileSnapshot(join(import.meta.dirname, '../docs/routes.md'));
  });

  it('T86: is what each credential gets, on every route, and nothing else changes', async () => {
    const api = await openApi({ bubblewrap: false });
    const ben = await addPerson(api, 'Ben');
    const { token: session = '' } = (await api.host.signIns.redeem(await linkCode(api.host))) ?? {};
    const samples = await sampleRequests(api);
    const table = await accessOf(api);
    const made = async (who: Pick<TestApi, 'json'>, scope: KeyScope) =>
      (await who.json<{ key: string }>('POST', '/api/keys', { name: scope, scopes: [scope] })).key;
    const scopes: KeyScope[] = ['read', 'chat', 'admin'];
    const keys = await Promise.all(
      scopes.map(async (scope) => ({
        scope,
        own: await made(api, scope),
        bens: await made(ben, scope),
      })),
    );
    const credentials = [
      ...keys.flatMap(({ scope, own, bens }) => [
        { name: `${scope} key`, headers: { 'x-api-key': own }, scope, isAdmin: true },
        { name: `${scope} key of a user`, headers: { 'x-api-key': bens }, scope, isAdmin: false },
      ]),
      { name: 'cookie of a user', headers: { cookie: ben.cookie }, isAdmin: false },
      { name: 'cookie', headers: { cookie: `cerise_session=${session}` }, isAdmin: true },
    ];
    const wrong: string[] = [];
    let refusals = 0;
    for (const { name, headers, ...who } of credentials)
      for (const { method, path, route, body } of samples) {
        const access = table.get(`${method} ${route}`);
        if (!access) throw new Error(`${method} ${route} says nothing of its access`);
        const expected = refusal(access, who);
        // What is let in is done by another test; here only that it is let in, without doing it.
        if (!expected && method !== 'GET') continue;
        const before = expected && refusals % 20 === 0 ? await dump(api) : undefined;
        const response = await api.raw(method, path, {
          headers: {
            ...headers,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const got = response.ok ? undefined : (await errorOf(response)).code;
        if (response.ok) await response.body?.cancel();
        const isRefused = got === 'forbidden' || got === 'admin_only' || got === 'unauthenticated';
        const isAsSaid = expected ? got === expected : !isRefused || isOwnersCase(route, got);
        if (!isAsSaid) wrong.push(`${name}: ${method} ${path}: ${got} instead of ${expected}`);
        if (before !== undefined) expect(withoutUse(await dump(api))).toBe(withoutUse(before));
        if (expected) refusals += 1;
      }
    expect(wrong).toEqual([]);
    expect(refusals).toBeGreaterThan(150);
  });

  it('T86: lets a chat key decide on one call, and write no rule in any way', async () => {
    const api = await openApi();
    const { key } = await api.json<{ key: string }>('POST', '/api/keys', { name: 'talks' });
    const headers = { authorization: `Bearer ${key}` };
    const rules = async () => JSON.stringify(await api.json('GET', '/api/policy'));
    const before = await rules();
    const waiting = async () =>
      api.json<{ id: string; argsHash: string }>(
        'POST',
        '/api/servers/filesystem/tools/write_file/call',
        { arguments: { path: 'a.txt', content: String(Math.random()) } },
      );
    for (const decision of ['approve', 'deny'])
      for (const scope of ['topic', 'arguments', 'host', 'always']) {
        const { id, argsHash } = await waiting();
        const one = { decision, argsHash, scope };
        const path = `/api/tool-calls/${id}/decision`;
        expect(await errorOf(await api.send('POST', path, one, headers))).toMatchObject({
          code: 'forbidden',
        });
        const many = { decisions: [{ ...one, toolCallId: id }] };
        const all = await api.send('POST', '/api/tool-calls/decisions', many, headers);
        expect(await errorOf(all)).toMatchObject({ code: 'forbidden' });
        const { state } = await api.json<{ state: string }>('GET', `/api/tool-calls/${id}`);
        expect(state).toBe('proposed');
      }
    const { id, argsHash } = await waiting();
    const once = { decision: 'approve', argsHash, scope: 'once' };
    const path = `/api/tool-calls/${id}/decision`;
    expect((await api.send('POST', path, once, headers)).status).toBe(200);
    const { key: full } = await api.json<{ key: string }>('POST', '/api/keys', {
      name: 'all',
      scopes: ['admin'],
    });
    expect(await rules()).toBe(before);
    const next = await waiting();
    const always = { decision: 'approve', argsHash: next.argsHash, scope: 'always' };
    const decided = await api.send('POST', `/api/tool-calls/${next.id}/decision`, always, {
      authorization: `Bearer ${full}`,
    });
    expect(decided.status).toBe(200);
    expect(await rules()).not.toBe(before);
  });

  it('T86: shows a read or chat key nothing of how servers are run or reached', async () => {
    const api = await openApi();
    const config = {
      type: 'stdio',
      name: 'private',
      command: '/opt/secret-command',
      args: ['--api-key', 'sk-in-the-arguments'],
      env: { SECRET_NAME: 'sk-in-a-variable' },
    };
    const { id } = await api.json<{ id: string }>('POST', '/api/servers', config);
    const secrets = ['secret-command', 'sk-in-the-arguments', 'SECRET_NAME', 'sk-in-a-variable'];
    for (const scope of ['read', 'chat']) {
      const { key } = await api.json<{ key: string }>('POST', '/api/keys', {
        name: scope,
        scopes: [scope],
      });
      const headers = { authorization: `Bearer ${key}` };
      for (const { method, path, access } of routesOf(api)) {
        if (method !== 'get' || access.public || path.includes('events')) continue;
        if (path.startsWith('/api/streams') || path === '/api/pictures') continue;
        const filled = path.replace(':id', id).replace(':name', 'x');
        const text = await (await api.send('GET', filled, undefined, headers)).text();
        expect(
          secrets.filter((secret) => text.includes(secret)),
          path,
        ).toEqual([]);
      }
    }
    const own = JSON.stringify(await api.json('GET', `/api/servers/${id}`));
    expect(own).toContain('sk-in-the-arguments');
  });

  it('T86: shows a read or chat key nothing of that where the server cannot be used', async () => {
    const api = await openApi();
    const away = {
      type: 'streamableHttp',
      name: 'away',
      baseUrl: 'http://127.0.0.1:9/secret-path',
    };
    const unset = {
      type: 'streamableHttp',
      name: 'unset',
      baseUrl: 'https://gate.example/mcp',
      headers: { authorization: 'Bearer ${SECRET_NAME}' },
    };
    const secrets = ['127.0.0.1:9', 'SECRET_NAME'];
    const ids: string[] = [];
    for (const config of [away, unset]) {
      const { id } = await api.json<{ id: string }>('POST', '/api/servers', config);
      expect((await api.send('POST', `/api/servers/${id}/connect`)).ok).toBe(false);
      ids.push(id);
    }
    const own = JSON.stringify(await api.json('GET', '/api/servers'));
    expect(secrets.filter((secret) => !own.includes(secret))).toEqual([]);
    for (const scope of ['read', 'chat']) {
      const fields = { name: scope, scopes: [scope] };
      const { key } = await api.json<{ key: string }>('POST', '/api/keys', fields);
      const headers = { authorization: `Bearer ${key}` };
      const paths = ids.flatMap((id) =>
        ['', '/status', '/tools', '/prompts', '/resources', '/skills'].map((end) => `/${id}${end}`),
      );
      for (const path of ['', ...paths]) {
        const response = await api.send('GET', `/api/servers${path}`, undefined, headers);
        const text = await response.text();
        expect(
          secrets.filter((secret) => text.includes(secret)),
          `${path}: ${text}`,
        ).toEqual([]);
      }
    }
  });

  it('T86: shows a read or chat key no address of a vendor or a search engine', async () => {
    const api = await openApi();
    const provider = {
      name: 'vendor',
      baseUrl: 'https://gate.example/sk-in-the-path/v1?k=sk-in-it',
    };
    await api.json('POST', '/api/providers', { ...provider, apiKey: 'x', models: ['m'] });
    const url = 'https://search.example/sk-in-the-path?k=sk-in-it';
    const webSearch = { kind: 'searxng', url };
    const set = await api.send('PUT', '/api/settings', { fetchAllow: ['10.0.0.7:80'], webSearch });
    expect(set.status).toBe(200);
    const told = async (headers?: Record<string, string>) => {
      const paths = ['/api/providers', '/api/settings', '/api/models'];
      const texts = paths.map(async (path) =>
        (await api.send('GET', path, undefined, headers)).text(),
      );
      return (await Promise.all(texts)).join('\n');
    };
    expect(await told()).toMatch(/sk-in-the-path.*sk-in-it[^]*10\.0\.0\.7/);
    for (const scope of ['read', 'chat']) {
      const fields = { name: scope, scopes: [scope] };
      const { key } = await api.json<{ key: string }>('POST', '/api/keys', fields);
      const text = await told({ authorization: `Bearer ${key}` });
      expect(text).toContain('vendor');
      expect(text).toContain('searxng');
      for (const secret of ['sk-in', 'gate.example', 'search.example', '10.0.0.7'])
        expect(text).not.toContain(secret);
    }
  });

  it('T04: needs a credential on every route that does not say it is for everyone', async () => {
    const api = await openApi();
    for (const { method, path, access } of routesOf(api)) {
      if (access.public) continue;
      const filled = path.replaceAll(/:\w+/g, 'x');
      const response = await api.raw(method.toUpperCase(), filled);
      expect([response.status, `${method} ${path}`]).toEqual([401, `${method} ${path}`]);
    }
    const everyone = routesOf(api).filter(({ access }) => access.public);
    expect(everyone.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'get *',
      'get /.well-known/oauth-authorization-server',
      'get /.well-known/oauth-protected-resource',
      'get /.well-known/oauth-protected-resource/mcp',
      'get /.well-known/oauth-protected-resource/mcp/:server',
      'get /.well-known/openid-configuration',
      'get /api/oauth/callback',
      'get /api/sign-in',
      'get /assets/*',
      'get /healthz',
      'get /metrics',
      'get /oauth/client.json',
      'get /readyz',
      'get /sign-in',
      'post /api/sign-in',
      'post /oauth/register',
      'post /oauth/revoke',
      'post /oauth/token',
    ]);
  });
});

/** What only a shared server's manager or another admin's key sees is judged past the door. */
function isOwnersCase(route: string, got: string | undefined): boolean {
  return got === 'admin_only' && route.startsWith('/api/servers/{id}/');
}

/** Everything but when credentials were last used. */
function withoutUse(text: string): string {
  return text.replaceAll(/"(?:last_used_at|last_seen_at)":\d+/g, '');
}
