import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toErrorInfo } from '#shared/errors/errors.ts';
import type { ServerAuth } from '#shared/vocabulary/server-auth.ts';
import { AuthorizationServer, type TokenFacts } from '../../../test/fakes/authorization-server.ts';
import { closeAfterTest, call, setUp, signIn } from '../../../test/fixtures/oauth.ts';

describe('tokens', () => {
  it('are renewed before their end, without the server noticing', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await signIn(world);
    expect(await call(world, authorizer)).toBe(200);
    world.world.now = () => Date.now() + 3_590_000;
    expect(await call(world, authorizer)).toBe(200);
    expect(world.issuer.count('refresh_token')).toBe(1);
    const sent = world.issuer.requests.find(({ body }) => body.includes('refresh_token='));
    expect(sent?.body).toContain(`resource=${encodeURIComponent(world.server.url)}`);
  });

  it('are renewed when the server refuses them, and used by all who share them', async () => {
    const world = await setUp();
    const [one, other] = [world.authorizer(), world.authorizer()];
    await signIn(world);
    expect(await call(world, one)).toBe(200);
    expect(await call(world, other)).toBe(200);
    world.issuer.expireTokens();
    expect(await call(world, one)).toBe(200);
    expect(await call(world, other)).toBe(200);
    expect(world.issuer.count('refresh_token')).toBe(1);
    expect(world.issuer.count('reuse')).toBe(0);
  });

  it('keep their refresh token where the authorization server does not rotate it', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await signIn(world);
    world.issuer.expireTokens();
    const again = { access_token: 'another', expires_in: 3600 };
    world.issuer.script.faults = { token: () => Response.json(again) };
    world.issuer.inspect = (token) =>
      token === 'another' ? ({ scope: ['basic'] } as TokenFacts) : undefined;
    expect(await call(world, authorizer)).toBe(200);
    world.world.now = () => Date.now() + 3_590_000;
    expect(await call(world, authorizer)).toBe(200);
    const sent = world.issuer.requests.filter(({ body }) => body.includes('refresh_token='));
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(sent).toHaveLength(2);
  });

  it('that cannot be renewed need a person', async () => {
    const world = await setUp({ authorization: { refreshTokens: false } });
    const authorizer = world.authorizer();
    await signIn(world);
    expect(await call(world, authorizer)).toBe(200);
    world.issuer.expireTokens();
    await expect(call(world, authorizer)).rejects.toMatchObject({ code: 'sign_in_required' });
    expect(await world.flows.state('ann', 'srv')).toMatchObject({ status: 'expired' });
  });

  it('need a person when the refresh token is refused, and it is not sent again', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await signIn(world);
    world.issuer.expireTokens();
    world.issuer.script.faults = {
      token: () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
    };
    await expect(call(world, authorizer)).rejects.toMatchObject({ code: 'sign_in_required' });
    const asked = world.issuer.count('/token');
    await expect(call(world, authorizer)).rejects.toMatchObject({ code: 'sign_in_required' });
    expect(world.issuer.count('/token')).toBe(asked);
  });

  it('are kept when the authorization server only has a bad moment', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await signIn(world);
    world.issuer.expireTokens();
    world.issuer.script.faults = { token: () => new Response('busy', { status: 503 }) };
    await expect(call(world, authorizer)).rejects.toMatchObject({ code: 'sign_in_failed' });
    world.issuer.script.faults = {};
    world.world.now = () => Date.now() + 10_000;
    expect(await call(world, authorizer)).toBe(200);
  });

  it('are asked for once by many who are refused while the authorization server fails', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await signIn(world);
    world.issuer.expireTokens();
    world.issuer.script.faults = { token: () => new Response('busy', { status: 503 }) };
    const asked = world.issuer.count('/token');
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => call(world, authorizer)));
    expect(all.every(({ status }) => status === 'rejected')).toBe(true);
    expect(world.issuer.count('/token')).toBe(asked + 1);
  });

  it('that are refused as soon as they are renewed are not renewed again', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await signIn(world);
    expect(await call(world, authorizer)).toBe(200);
    const stranger = closeAfterTest(await AuthorizationServer.start());
    const inspect = stranger.inspect.bind(stranger);
    world.issuer.inspect = inspect;
    await expect(call(world, authorizer)).rejects.toMatchObject({ code: 'sign_in_required' });
    expect(world.issuer.count('refresh_token')).toBe(1);
  });

  it('of a client the authorization server has forgotten lead to a new registration', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await signIn(world);
    world.issuer.expireTokens();
    world.issuer.forgetClients();
    await expect(call(world, authorizer)).rejects.toMatchObject({ code: 'sign_in_required' });
    await signIn(world);
    expect(await call(world, authorizer)).toBe(200);
    expect(world.issuer.count('/register')).toBe(2);
  });
});

describe('scopes', () => {
  it('that are refused again and again are not asked for without end', async () => {
    const world = await setUp({ protection: { challengeScope: 'basic', neverContent: true } });
    const authorizer = world.authorizer();
    const codes: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const failure = await call(world, authorizer).catch((error: { code: string }) => error);
      codes.push((failure as { code: string }).code);
      if (codes.at(-1) !== 'sign_in_required') break;
      await signIn(world);
    }
    expect(codes.at(-1)).toBe('sign_in_failed');
    expect(world.issuer.authorizations).toHaveLength(3);
  });

  it('count a refused token once, however many calls it was refused for', async () => {
    const world = await setUp({ protection: { challengeScope: 'basic', neverContent: true } });
    const authorizer = world.authorizer();
    await signIn(world);
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => call(world, authorizer)));
    const codes = all.map((it) => (it.status === 'rejected' ? it.reason.code : 'none'));
    expect(new Set(codes)).toEqual(new Set(['sign_in_required']));
  });

  it('do not matter to a 403 that says nothing of them', async () => {
    const world = await setUp();
    const answer = world.authorizer().answer({ status: 403, sent: 'Bearer x' });
    expect(await answer).toBe(false);
  });
});

describe('grants without a person', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ3In0.c2ln';
  const byKey = { authMethods: ['private_key_jwt'], clients: { bot: { publicKey } } };
  const bySecret = {
    authMethods: ['client_secret_basic'],
    clients: { bot: { secret: 'hush-hush' } },
  };
  const open = { authMethods: ['none'], clients: { bot: {} } };

  it.each<[string, object, ServerAuth]>([
    [
      'a secret',
      bySecret,
      { grant: 'client_credentials', clientId: 'bot', clientSecret: 'hush-hush' },
    ],
    ['a key', byKey, { grant: 'client_credentials', clientId: 'bot', privateKey }],
    ['a workload', open, { grant: 'workload', clientId: 'bot', assertion: jwt }],
  ])('work with %s, and renew by themselves', async (_name, authorization, settings) => {
    const world = await setUp({ authorization, settings });
    const authorizer = world.authorizer();
    expect(await call(world, authorizer)).toBe(200);
    expect(world.issuer.count('/token')).toBe(1);
    world.world.now = () => Date.now() + 3_590_000;
    expect(await call(world, authorizer)).toBe(200);
    expect(world.issuer.count('/token')).toBe(2);
    expect(world.issuer.authorizations).toHaveLength(0);
    await expect(
      world.flows.begin({ owner: 'ann', serverId: 'srv', redirectUri: 'https://x.test/back' }),
    ).rejects.toMatchObject({ code: 'sign_in_failed' });
  });

  it('trade an identity token for a grant, and the grant for a token', async () => {
    const seen: URLSearchParams[] = [];
    const idp = closeAfterTest(await AuthorizationServer.start());
    idp.script.faults = {
      token: () => {
        seen.push(new URLSearchParams(idp.requests.at(-1)?.body));
        return Response.json({
          access_token: jwt,
          issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
          token_type: 'N_A',
        });
      },
    };
    const world = await setUp({
      authorization: open,
      settings: {
        grant: 'enterprise',
        clientId: 'bot',
        idpTokenEndpoint: `${idp.url}/token`,
        idpClientId: 'us',
        idToken: 'identity-token',
      },
    });
    expect(await call(world, world.authorizer())).toBe(200);
    expect(Object.fromEntries(seen[0] ?? [])).toMatchObject({
      audience: world.issuer.issuer,
      resource: world.server.url,
      subject_token: 'identity-token',
    });
    const granted = new URLSearchParams(world.issuer.requests.at(-1)?.body);
    expect(granted.get('assertion')).toBe(jwt);
  });

  it('get more scopes by themselves, once', async () => {
    const settings: ServerAuth = {
      grant: 'client_credentials',
      clientId: 'bot',
      clientSecret: 'hush-hush',
    };
    const world = await setUp({
      authorization: bySecret,
      settings,
      protection: { challengeScope: 'basic' },
    });
    const authorizer = world.authorizer();
    expect(await call(world, authorizer, 'admin_action')).toBe(200);
    expect(await call(world, authorizer)).toBe(200);
    world.server.script.neverContent = true;
    await expect(call(world, authorizer)).rejects.toMatchObject({ code: 'sign_in_failed' });
  });

  it('do not ask again for a token that is refused as soon as it is there', async () => {
    const settings: ServerAuth = { grant: 'workload', clientId: 'bot', assertion: jwt };
    const world = await setUp({ authorization: open, settings });
    world.issuer.inspect = () => undefined;
    await expect(call(world, world.authorizer())).rejects.toMatchObject({
      code: 'sign_in_failed',
      message: expect.stringContaining('just issued'),
    });
    expect(world.issuer.count('/token')).toBe(1);
  });

  it('do not repeat a request that was refused, nor fall back to another grant', async () => {
    const settings: ServerAuth = { grant: 'workload', clientId: 'bot', assertion: jwt };
    const world = await setUp({ authorization: open, settings });
    world.issuer.script.faults = {
      token: () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
    };
    const authorizer = world.authorizer();
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => call(world, authorizer)));
    expect(all.every(({ status }) => status === 'rejected')).toBe(true);
    expect(world.issuer.count('/token')).toBe(1);
  });

  it('read a workload token from its file each time, and send nothing that is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cerise-test-'));
    closeAfterTest({ close: () => rm(folder, { recursive: true, force: true }) });
    const assertionFile = join(folder, 'token');
    await writeFile(assertionFile, `${jwt}\n`);
    const settings: ServerAuth = { grant: 'workload', clientId: 'bot', assertionFile };
    const world = await setUp({ authorization: open, settings });
    expect(await call(world, world.authorizer())).toBe(200);
    await writeFile(assertionFile, 'root:x:0:0:root');
    world.issuer.expireTokens();
    const asked = world.issuer.requests.length;
    await expect(call(world, world.authorizer())).rejects.toMatchObject({ code: 'sign_in_failed' });
    const later = world.issuer.requests.slice(asked).map(({ body }) => body);
    expect(later.join()).not.toContain('root');
  });

  it('T77: tell nothing of a file that holds no token, not even whether it is there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cerise-test-'));
    closeAfterTest({ close: () => rm(folder, { recursive: true, force: true }) });
    await writeFile(join(folder, 'other'), 'root:x:0:0:root');
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')]);
    const told = new Set<string>();
    for (const name of ['other', 'missing', '.', 'pipe', 'long'.repeat(900)]) {
      const assertionFile = join(folder, name);
      const settings: ServerAuth = { grant: 'workload', clientId: 'bot', assertionFile };
      const world = await setUp({ authorization: open, settings });
      const error: unknown = await call(world, world.authorizer()).catch((it: unknown) => it);
      told.add(JSON.stringify(toErrorInfo(error)));
      expect(world.issuer.count('/token')).toBe(0);
      expect(world.logged.join()).toContain(JSON.stringify(assertionFile).slice(1, -1));
    }
    expect([...told]).toHaveLength(1);
    expect([...told].join()).not.toContain(folder);
  });

  it('never send a secret to another authorization server than the first', async () => {
    const settings: ServerAuth = {
      grant: 'client_credentials',
      clientId: 'bot',
      clientSecret: 'hush-hush',
    };
    const world = await setUp({ authorization: bySecret, settings });
    expect(await call(world, world.authorizer())).toBe(200);
    const thief = closeAfterTest(await AuthorizationServer.start(bySecret));
    world.server.authorizationServer = thief;
    await expect(call(world, world.authorizer())).rejects.toMatchObject({ code: 'sign_in_failed' });
    expect(thief.count('/token')).toBe(0);
  });

  it('T78: send the token of a file to no other authorization server after a sign-out', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cerise-test-'));
    closeAfterTest({ close: () => rm(folder, { recursive: true, force: true }) });
    const assertionFile = join(folder, 'token');
    await writeFile(assertionFile, jwt);
    const settings: ServerAuth = { grant: 'workload', clientId: 'bot', assertionFile };
    const world = await setUp({ authorization: open, settings });
    expect(await call(world, world.authorizer())).toBe(200);
    await world.flows.signOut('ann', 'srv');
    const thief = closeAfterTest(await AuthorizationServer.start(open));
    world.server.authorizationServer = thief;
    await expect(call(world, world.authorizer())).rejects.toMatchObject({ code: 'sign_in_failed' });
    expect(JSON.stringify(thief.requests)).not.toContain(jwt);
  });

  it('T78: send a secret to no other authorization server after a sign-out, only a new secret', async () => {
    const settings: ServerAuth = {
      grant: 'client_credentials',
      clientId: 'bot',
      clientSecret: 'hush-hush',
    };
    const world = await setUp({ authorization: bySecret, settings });
    expect(await call(world, world.authorizer())).toBe(200);
    await world.flows.signOut('ann', 'srv');
    const thief = closeAfterTest(await AuthorizationServer.start(bySecret));
    world.server.authorizationServer = thief;
    await expect(call(world, world.authorizer())).rejects.toMatchObject({ code: 'sign_in_failed' });
    expect(JSON.stringify(thief.requests)).not.toContain('hush-hush');
    world.world.settings = { ...settings, clientSecret: 'another' };
    await call(world, world.authorizer()).catch(() => undefined);
    expect(thief.count('/token')).toBe(1);
  });
});
