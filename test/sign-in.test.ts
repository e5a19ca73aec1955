import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import { type AuthorizationScript, AuthorizationServer } from './fakes/authorization-server.ts';
import { createProtectedServer } from './fakes/protected-server.ts';
import { run, startCommand, startServer } from './fixtures/cerise-in-process.ts';
import * as real from './fixtures/cerise-process.ts';
import { freshPlace } from './fixtures/http.ts';
import { closeAfterTest } from './fixtures/oauth.ts';
import type { CommandOutput } from './fixtures/running-command.ts';

/** A protected server beside an authorization server, and an empty data folder that knows it. */
async function start(script: AuthorizationScript = {}) {
  const issuer = await AuthorizationServer.start({ autoApprove: true, ...script });
  closeAfterTest(issuer);
  const server = closeAfterTest(await createProtectedServer(issuer));
  const { home } = await freshPlace();
  const env = { CERISE_HOME: home };
  const added = await run(['mcp', 'add', 'protected', '--url', server.url], env);
  expect(added.code).toBe(0);
  return { issuer, server, home, env };
}

/** The address a command shows for the browser. */
async function shownAddress(command: CommandOutput): Promise<string> {
  const [, address = ''] = await command.says(/\n {2}(http\S+)\n/);
  return address;
}

/** What a browser does: goes where it is sent, and shows the page it ends at. */
async function browse(address: string): Promise<{ url: string; text: string }> {
  const response = await fetch(address);
  return { url: response.url, text: await response.text() };
}

/** Where a browser would end, without going there. */
async function lastAddress(address: string): Promise<string> {
  const response = await fetch(address, { redirect: 'manual' });
  return response.headers.get('location') ?? '';
}

describe('cerise mcp sign-in', () => {
  it('signs in through the browser, and the server works from then on', async () => {
    const { env, issuer } = await start();
    expect((await run(['mcp', 'doctor', 'protected'], env)).stdout).toContain('needs sign-in');
    const command = startCommand(['mcp', 'sign-in', 'protected'], env);
    const page = await browse(await shownAddress(command));
    expect(page.text).toContain('You&#39;re signed in to protected');
    expect(page.text).toContain('return to the terminal');
    expect(await command.ended).toBe(0);
    expect(command.stdout()).toContain('protected: connected');

    const call = ['mcp', 'call', 'protected', 'whoami', '--yes'];
    expect(await run(call, env)).toMatchObject({ code: 0, stdout: 'you\n' });
    issuer.expireTokens();
    expect(await run(call, env)).toMatchObject({ code: 0, stdout: 'you\n' });
    expect(issuer.count('refresh_token')).toBe(1);

    const out = await run(['mcp', 'sign-out', 'protected'], env);
    expect(out).toMatchObject({ code: 0, stdout: expect.stringContaining('Signed out') });
    expect(issuer.count('/revoke')).toBe(2);
    const refused = await run(call, env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('sign in');
  });

  it('gets more rights where a tool needs them', async () => {
    const { env } = await start();
    const signIn = async () => {
      const command = startCommand(['mcp', 'sign-in', 'protected'], env);
      await browse(await shownAddress(command));
      expect(await command.ended).toBe(0);
    };
    const call = (tool: string) => run(['mcp', 'call', 'protected', tool, '--yes'], env);
    await signIn();
    expect(await call('admin_action')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('It requests: admin'),
    });
    await signIn();
    expect(await call('admin_action')).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(await call('whoami')).toMatchObject({ code: 0, stdout: 'you\n' });
  });

  it('works beside a running server, with a browser somewhere else', async () => {
    const { env } = await start();
    const server = await startServer(env);
    const command = startCommand(['mcp', 'sign-in', 'protected', '--headless'], env, 'pipe');
    const end = await lastAddress(await shownAddress(command));
    const { stdin } = command;
    stdin.write('http://127.0.0.1:33418/callback?code=x&state=of-another\n');
    await command.says(/doesn't belong to this sign-in/);
    stdin.write(`${end}\n`);
    expect(await command.ended).toBe(0);
    expect(command.stdout()).toContain('protected: connected');
    const { servers } = await server.json<{ servers: ServerView[] }>('GET', '/api/servers');
    expect(servers.find(({ name }) => name === 'protected')?.state).toBe('connected');
  });

  it('takes only what stands behind the question mark as well', async () => {
    const { env } = await start();
    const command = startCommand(['mcp', 'sign-in', 'protected', '--headless'], env, 'pipe');
    const { search } = new URL(await lastAddress(await shownAddress(command)));
    command.stdin.end(`${search.slice(1)}\n`);
    expect(await command.ended).toBe(0);
  });

  it('says so if no address was pasted', async () => {
    const { env } = await start();
    const ended = await run(['mcp', 'sign-in', 'protected', '--headless'], env);
    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('without a sign-in URL'),
    });
  });

  it('ends at once with the words of an error redirect', async () => {
    const { env, issuer } = await start();
    const command = startCommand(['mcp', 'sign-in', 'protected'], env);
    const query = new URL(await shownAddress(command)).searchParams;
    const url = new URL(query.get('redirect_uri') ?? '');
    url.searchParams.set('state', query.get('state') ?? '');
    url.searchParams.set('iss', issuer.issuer);
    url.searchParams.set('error', 'access_denied');
    url.searchParams.set('error_description', 'Not \u001B[31mtoday');
    const page = await browse(url.href);
    expect(page.text).toContain('Access was denied (access_denied: Not');
    expect(await command.ended).toBe(1);
    expect(command.stderr()).toContain('Access was denied');
    expect(command.stderr()).not.toContain('\u001B');
  });

  it('turns away whoever comes with another state, and goes on waiting', async () => {
    const { env } = await start();
    const command = startCommand(['mcp', 'sign-in', 'protected'], env);
    const address = await shownAddress(command);
    const callback = new URL(address).searchParams.get('redirect_uri') ?? '';
    for (const query of ['', '?error=access_denied', '?code=stolen&state=guessed']) {
      const response = await fetch(`${callback}${query}`);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('belong to the current sign-in');
    }
    expect((await fetch(new URL('/favicon.ico', callback))).status).toBe(404);
    expect((await fetch(callback, { method: 'POST' })).status).toBe(404);
    const end = await lastAddress(address);
    const pages = await Promise.all([browse(end), browse(end)]);
    const signedIn = pages.filter(({ text }) => text.includes('You&#39;re signed in'));
    expect(signedIn).toHaveLength(1);
    expect(await command.ended).toBe(0);
  });

  it('ends cleanly on Ctrl-C, and leaves nothing that could be finished', async () => {
    const { env } = await start();
    const command = real.startCommand(['mcp', 'sign-in', 'protected'], env);
    const address = await shownAddress(command);
    command.child.kill('SIGINT');
    expect(await command.ended).toBe(130);
    expect(command.stderr()).not.toMatch(/Error|at .*\.ts/);
    await expect(browse(address)).rejects.toThrow('fetch failed');
  });

  it('signs in as a client that was registered by hand', async () => {
    const { env, issuer, home } = await start({
      registration: false,
      clientDocuments: true,
      authMethods: ['client_secret_basic'],
    });
    const refused = await run(['mcp', 'sign-in', 'protected'], env);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('client ID') });
    expect(refused.stderr).toContain('CERISE_PUBLIC_URL');
    expect(refused.stderr).toContain('sign-in protected --client-id ID');
    issuer.script.clients = { mine: { secret: 'the-secret-of-the-client' } };
    const missing = ['--client-id', 'mine', '--client-secret-file', join(home, 'none')];
    expect((await run(['mcp', 'sign-in', 'protected', ...missing], env)).code).toBe(2);
    const file = join(home, 'client-secret');
    writeFileSync(file, 'the-secret-of-the-client\n');
    const given = ['--client-id', 'mine', '--client-secret-file', file];
    const command = startCommand(['mcp', 'sign-in', 'protected', ...given], env);
    await browse(await shownAddress(command));
    expect(await command.ended).toBe(0);
    expect(issuer.count('/register')).toBe(0);
  });
});

describe('the secrets of a sign-in', () => {
  it('are in neither the database nor its log, nor in what the program prints', async () => {
    const { issuer, home, env, server } = await start({ authMethods: ['client_secret_basic'] });
    const host = await startServer({ ...env, CERISE_LOG_LEVEL: 'trace' });
    const printed: CommandOutput[] = [host];
    const signIn = async () => {
      const command = startCommand(['mcp', 'sign-in', 'protected'], env);
      printed.push(command);
      await browse(await shownAddress(command));
      expect(await command.ended).toBe(0);
    };
    await signIn();
    const { servers } = await host.json<{ servers: ServerView[] }>('GET', '/api/servers');
    const path = `/api/servers/${servers.find(({ name }) => name === 'protected')?.id}`;
    const call = (tool: string) =>
      host.send('POST', `${path}/tools/${tool}/call`, { arguments: {}, callId: tool });
    await host.json('PATCH', path, { autoApprove: ['*'] });
    issuer.expireTokens();
    expect((await call('whoami')).status).toBe(200);
    expect((await call('admin_action')).status).toBe(409);
    issuer.script.faults = { token: () => echo(issuer.requests.at(-1)?.body ?? '') };
    issuer.expireTokens();
    expect((await call('whoami')).ok).toBe(false);
    issuer.script.faults = {};
    await signIn();

    const reads = ['', '/sign-in', '/diagnosis', '/logs', '/status', '/tools'];
    const read = await Promise.all(
      reads.map(async (place) => (await host.send('GET', `${path}${place}`)).text()),
    );
    const secrets = secretsOf(issuer, server.requests);
    expect(secrets.length).toBeGreaterThan(8);
    const kept = readdirSync(home).filter((name) => name.startsWith('cerise.db'));
    expect(kept).toContain('cerise.db-wal');
    const places = {
      ...Object.fromEntries(kept.map((name) => [name, readFileSync(join(home, name), 'latin1')])),
      api: read.join('\n'),
      output: printed.map(({ stdout, stderr }) => stdout() + stderr()).join('\n'),
    };
    expect(Object.values(places).filter((text) => text.includes('admin_action'))).not.toEqual([]);
    for (const [place, text] of Object.entries(places))
      for (const secret of secrets)
        expect(text.includes(secret), `${secret} in ${place}`).toBe(false);
  });
});

/** An authorization server that says again what it was sent. */
function echo(body: string): Response {
  return Response.json({ error: 'server_error', error_description: body }, { status: 500 });
}

/** Everything that must stay between us and the two servers. */
function secretsOf(
  { issued, requests }: AuthorizationServer,
  seen: Record<string, string>[],
): string[] {
  const forms = requests.map(({ body }) => new URLSearchParams(body));
  const names = ['code', 'code_verifier', 'refresh_token', 'token', 'client_secret'];
  const sent = forms.flatMap((form) => names.flatMap((name) => form.get(name) ?? []));
  const tokens = seen.flatMap(({ authorization }) => authorization?.split(' ')[1] ?? []);
  return [...new Set([...issued, ...sent, ...tokens])];
}
