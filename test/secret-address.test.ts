import { expect, it, onTestFinished } from 'vitest';
import type { Host, HostOptions } from '#chat/host/host.ts';
import { hiddenSecret } from '#shared/text/text.ts';
import { describeEachDatabase } from './databases.ts';
import { listen } from './fakes/loopback.ts';
import { openHost, owner } from './host.ts';

const secret = 'canary-secret-4711';

/** Listens and keeps all that it is sent; answers as a vendor, a search engine and an MCP server might. */
async function listener() {
  const heard: string[] = [];
  const server = await listen(async (request) => {
    heard.push(JSON.stringify([request.url, ...request.headers]) + (await request.text()));
    return Response.json({ data: [{ id: 'small-model' }], results: [] });
  });
  onTestFinished(() => server.close());
  return { url: server.url, heard, hasSecret: () => heard.some((text) => text.includes(secret)) };
}

describeEachDatabase((_open, fresh) => {
  async function start(options: Partial<HostOptions> = {}): Promise<Host> {
    const host = await openHost(fresh, options);
    onTestFinished(() => host.close());
    return host;
  }

  /** Everything that asks a provider. */
  async function use(host: Host, id: string): Promise<void> {
    await host.providers.test(owner, id);
    await host.models.of(owner).list();
    await host.providers.test(owner, id, 'small-model');
  }

  it('T78: the key of a provider stays where it was given for', async () => {
    const [first, canary] = [await listener(), await listener()];
    const host = await start();
    const fields = { name: 'mine', baseUrl: `${first.url}/v1`, apiKey: secret, models: [] };
    const { id } = await host.providers.create(owner, fields);
    await use(host, id);
    expect(first.hasSecret()).toBe(true);
    const within = await host.providers.update(owner, id, { baseUrl: `${first.url}/v2` });
    expect(within).toMatchObject({ hasKey: true });
    expect(within).not.toHaveProperty('secretsDropped');
    const moved = { baseUrl: `${canary.url}/v1` };
    for (const change of [moved, { apiKey: hiddenSecret, ...moved }]) {
      await host.providers.update(owner, id, { baseUrl: `${first.url}/v1`, apiKey: secret });
      const told = await host.providers.update(owner, id, change);
      expect(told).toMatchObject({ hasKey: false, secretsDropped: ['apiKey'] });
      await use(host, id);
    }
    expect(canary.heard.length).toBeGreaterThan(2);
    expect(canary.hasSecret()).toBe(false);
    await host.providers.update(owner, id, { apiKey: secret });
    await use(host, id);
    expect(canary.hasSecret()).toBe(true);
  });

  it('T78: the key of a provider does not follow its kind to another vendor', async () => {
    const host = await start();
    const made = { name: 'openai', apiKey: secret, models: [] };
    const { id } = await host.providers.create(owner, made);
    const chat = await host.providers.update(owner, id, { kind: 'openai-chat' });
    expect(chat).toMatchObject({ hasKey: true });
    const other = await host.providers.update(owner, id, { kind: 'anthropic' });
    expect(other).toMatchObject({ hasKey: false, secretsDropped: ['apiKey'] });
  });

  it('T78: a key of the environment does not go to an address that somebody gave', async () => {
    const canary = await listener();
    const host = await start({ environment: { OPENAI_API_KEY: secret } });
    const given = (await host.providers.list(owner)).find((each) => each.fromEnvironment);
    const moved = { baseUrl: `${canary.url}/v1` };
    await expect(host.providers.update(owner, given?.id ?? '', moved)).rejects.toMatchObject({
      code: 'conflict',
    });
    const fields = { name: 'openai', kind: 'openai', models: [], ...moved };
    const { id } = await host.providers.create(owner, fields);
    await use(host, id);
    expect(canary.heard.length).toBeGreaterThan(0);
    expect(canary.hasSecret()).toBe(false);
  });

  it('T78: the key of a search engine stays where it was given for', async () => {
    const [first, canary] = [await listener(), await listener()];
    const host = await start();
    const search = async () => {
      const call = await host.callTool(owner, 'web-search', 'web_search', { query: 'x' });
      expect(call.state).toBe('succeeded');
    };
    const set = (url: string, apiKey: string) =>
      host.settings.set(owner, { fetchAllow: [], webSearch: { kind: 'searxng', url, apiKey } });
    const rules = [{ action: 'allow' as const, serverId: 'web-search' }];
    await host.policy.write(owner, { rules, trustedServers: [], safeToRepeat: [] });
    await set(first.url, secret);
    await set(`${first.url}/search`, hiddenSecret);
    await search();
    expect(first.hasSecret()).toBe(true);
    const told = await set(canary.url, hiddenSecret);
    expect(told.secretsDropped).toEqual(['webSearch.apiKey']);
    expect(told.webSearch).toEqual({ kind: 'searxng', url: canary.url });
    await search();
    expect(canary.heard.length).toBe(1);
    expect(canary.hasSecret()).toBe(false);
  });

  it('T78: the key of a search engine does not follow its kind to another one', async () => {
    const host = await start();
    const set = (kind: 'brave' | 'tavily', apiKey: string) =>
      host.settings.set(owner, { fetchAllow: [], webSearch: { kind, apiKey } });
    await set('brave', secret);
    expect((await set('brave', hiddenSecret)).webSearch?.apiKey).toBe(hiddenSecret);
    const told = await set('tavily', hiddenSecret);
    expect(told).toMatchObject({ secretsDropped: ['webSearch.apiKey'] });
    expect(await host.settings.webSearch()).toEqual({ kind: 'tavily' });
  });

  it('T78: a token in a file of the host stays with the issuer it was named for', async () => {
    const host = await start();
    const auth = { grant: 'workload', clientId: 'us', assertionFile: '/run/token' };
    const server = { type: 'streamableHttp', name: 'reach', baseUrl: 'https://one.example/mcp' };
    const { id } = await host.servers.add(owner, { ...server, auth });
    const issuer = { authorizationServer: 'https://issuer.example' };
    const { assertionFile: _, ...rest } = auth;
    for (const change of [
      { baseUrl: 'https://two.example/mcp' },
      { baseUrl: 'https://two.example/mcp', auth: { ...rest, assertionFile: hiddenSecret } },
    ])
      await expect(host.servers.update(owner, id, change)).rejects.toMatchObject({
        code: 'invalid_server',
        message: expect.stringContaining('auth.assertionFile'),
      });
    const again = { baseUrl: 'https://two.example/mcp', auth: { ...auth, ...issuer } };
    expect(await host.servers.update(owner, id, again)).toMatchObject({ config: again });
  });

  it('T78: the secrets of a server stay where they were given for', async () => {
    const [first, canary] = [await listener(), await listener()];
    const host = await start();
    const { id } = await host.servers.add(owner, {
      type: 'streamableHttp',
      name: 'reach',
      baseUrl: `${first.url}/mcp?token=${secret}`,
      headers: { authorization: '${KEY}' },
      secrets: { KEY: secret },
      auth: { clientId: 'us', clientSecret: secret },
    });
    expect(JSON.stringify(host.servers.list(owner))).not.toContain(secret);
    await host.servers.connect(owner, id).catch(() => undefined);
    expect(first.hasSecret()).toBe(true);
    const moved = { baseUrl: `${canary.url}/mcp?token=${hiddenSecret}` };
    await expect(host.servers.update(owner, id, moved)).rejects.toMatchObject({
      code: 'invalid_server',
      message: expect.stringMatching(
        /baseUrl\.token.*headers\.authorization.*secrets\.KEY.*auth\.clientSecret/,
      ),
    });
    const bare = { baseUrl: `${canary.url}/mcp`, headers: null, secrets: null, auth: null };
    await host.servers.update(owner, id, bare);
    await host.servers.connect(owner, id).catch(() => undefined);
    expect(canary.heard.length).toBeGreaterThan(0);
    expect(canary.hasSecret()).toBe(false);
  });

  it('T78: a named secret stays with the command it was given for', async () => {
    const host = await start();
    const server = { type: 'stdio', name: 'run', command: 'one', args: ['${secret:KEY}'] };
    const { id } = await host.servers.add(owner, { ...server, secrets: { KEY: secret } });
    expect(JSON.stringify(host.servers.get(owner, id))).not.toContain(secret);
    for (const change of [{ command: 'two' }, { command: 'two', secrets: { KEY: hiddenSecret } }])
      await expect(host.servers.update(owner, id, change)).rejects.toMatchObject({
        code: 'invalid_server',
        message: expect.stringContaining('secrets.KEY'),
      });
    await host.servers.update(owner, id, { args: ['${KEY}'] });
    const again = { command: 'two', secrets: { KEY: 'other' } };
    await expect(host.servers.update(owner, id, again)).resolves.toMatchObject({
      config: { command: 'two', secrets: { KEY: hiddenSecret } },
    });
  });
});
