import { describe, expect, it } from 'vitest';
import { AuthorizationServer } from './fakes/authorization-server.ts';
import { createProtectedServer } from './fakes/protected-server.ts';
import { hostSays } from './e2e/texts.ts';
import { agree, call, closeAfterTest, redirectUri, setUp, signIn } from './fixtures/oauth.ts';

const request = { owner: 'ann', serverId: 'srv', redirectUri };
const secrets = /access-[0-9a-f]|refresh-[0-9a-f]|secret-[0-9a-f]/;

describe('T09: hostile authorization metadata', () => {
  const hostile = [
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'http://auth.example/authorize',
    'https://user:password@auth.example/authorize',
    'https://auth.example/\r\nSet-Cookie: a=b',
    '$(touch /tmp/x)',
    '--flag',
    'https://auth.example/#fragment',
    `https://auth.example/${'a'.repeat(2000)}`,
    ' https://auth.example/authorize',
    42,
  ];
  const fields = [
    'authorization_endpoint',
    'token_endpoint',
    'registration_endpoint',
    'revocation_endpoint',
  ];

  it.each(fields)('refuses an unsafe %s before anything is sent there', async (field) => {
    for (const value of hostile) {
      const world = await setUp({ authorization: { overrides: { [field]: value } } });
      const failure = await world.flows.begin(request).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'sign_in_failed', details: { field } });
      expect(String(failure)).not.toContain(String(value));
      expect(world.issuer.count('/register')).toBe(0);
    }
  });

  it('refuses an unsafe authorization server and an unsafe place of metadata', async () => {
    for (const value of hostile) {
      const world = await setUp({ protection: { overrides: { authorization_servers: [value] } } });
      await expect(call(world, world.authorizer())).rejects.toMatchObject({
        code: 'sign_in_failed',
      });
      if (typeof value !== 'string' || /[\r\n]/.test(value)) continue;
      world.server.script.resourceMetadata = value;
      await expect(call(world, world.authorizer())).rejects.toMatchObject({
        code: 'sign_in_failed',
      });
    }
  });

  it('refuses 1 MB of metadata and what is no metadata, by a named code', async () => {
    const world = await setUp({ authorization: { overrides: { more: 'x'.repeat(1_000_000) } } });
    await expect(world.flows.begin(request)).rejects.toMatchObject({ code: 'result_too_large' });
    const bodies = ['', '[]', '{"issuer":1}', '<html>', '['.repeat(100_000), '{"__proto__":{}}'];
    for (const body of bodies) {
      world.issuer.script.faults = { metadata: () => new Response(body) };
      await expect(world.flows.begin(request)).rejects.toMatchObject({ code: 'sign_in_failed' });
    }
  });

  it('refuses an authorization server without PKCE', async () => {
    for (const methods of [undefined, ['plain'], 'S256']) {
      const overrides = { code_challenge_methods_supported: methods };
      const world = await setUp({ authorization: { overrides } });
      await expect(world.flows.begin(request)).rejects.toMatchObject({
        code: 'sign_in_failed',
        message: expect.stringContaining('PKCE'),
      });
    }
  });

  it('does not follow metadata of a public server to this machine', async () => {
    const world = await setUp();
    const asked: string[] = [];
    const { discover } = await import('#mcp/auth/discovery.ts');
    const found = discover(
      async ({ url }) => {
        asked.push(url.href);
        const text = JSON.stringify({
          resource: 'https://mcp.example/mcp',
          authorization_servers: [world.issuer.issuer],
        });
        return { status: 200, headers: {}, text, url };
      },
      { server: new URL('https://mcp.example/mcp') },
    );
    await expect(found).rejects.toMatchObject({ code: 'sign_in_failed' });
    expect(asked).toHaveLength(1);
  });
});

describe('T18: mix-up', () => {
  it('refuses metadata of another issuer', async () => {
    const overrides = { issuer: 'https://honest.example' };
    const world = await setUp({ authorization: { overrides } });
    await expect(world.flows.begin(request)).rejects.toMatchObject({ code: 'sign_in_failed' });
    expect(world.issuer.count('/register')).toBe(0);
  });

  it('refuses a server that says it is another', async () => {
    const resources = ['https://other.example/mcp', 'http://127.0.0.1:1/mcp', '', 'nonsense'];
    for (const resource of resources) {
      const world = await setUp({ protection: { overrides: { resource } } });
      await expect(call(world, world.authorizer())).rejects.toMatchObject({
        code: 'sign_in_failed',
      });
      expect(world.issuer.count('/register')).toBe(0);
    }
  });

  it.each([
    ['wrong', { wrong: 'https://evil.example' }, true],
    ['missing though promised', 'none', true],
    ['wrong though not promised', { wrong: 'https://evil.example' }, false],
  ] as const)('sends no code when iss is %s', async (_name, iss, promised) => {
    const overrides = { authorization_response_iss_parameter_supported: promised };
    const world = await setUp({ authorization: { iss, overrides } });
    const url = await agree(await world.flows.begin(request));
    const failure = await world.flows.finish({ url }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'sign_in_failed', details: { reason: 'wrong_issuer' } });
    expect(world.issuer.count('/token')).toBe(0);
  });

  it('does not show what a wrong issuer says', async () => {
    const world = await setUp();
    const { state } = await world.flows.begin(request);
    const url = `${redirectUri}?error=call_this_number&state=${state}&iss=https://evil.example`;
    const failure = await world.flows.finish({ url }).catch((error: unknown) => error);
    expect(JSON.stringify(failure) + String(failure)).not.toContain('call_this_number');
  });

  it('accepts the issuer only letter by letter', async () => {
    const world = await setUp();
    world.issuer.script.iss = { wrong: `${world.issuer.issuer}/` };
    const url = await agree(await world.flows.begin(request));
    await expect(world.flows.finish({ url })).rejects.toMatchObject({ code: 'sign_in_failed' });
    expect(world.issuer.count('/token')).toBe(0);
  });
});

describe('T19: discovery at refresh', () => {
  it('renews at the endpoint the token came from when discovery is gone', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await signIn(world);
    world.issuer.expireTokens();
    world.issuer.script.metadata = 'none';
    expect(await call(world, authorizer)).toBe(200);
    expect(world.issuer.count('refresh_token')).toBe(1);
  });

  it('renews also when the server no longer says who gives out its tokens', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await signIn(world);
    world.issuer.expireTokens();
    world.server.script.metadata = 'none';
    expect(await call(world, authorizer)).toBe(200);
    expect(world.issuer.count('refresh_token')).toBe(1);
  });

  it('sends a refresh token to no other endpoint, whatever the metadata say now', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await signIn(world);
    const thief = closeAfterTest(await AuthorizationServer.start());
    world.issuer.expireTokens();
    world.issuer.script.overrides = { token_endpoint: `${thief.url}/token` };
    expect(await call(world, authorizer)).toBe(200);
    expect(thief.requests).toEqual([]);
  });

  it('sends a refresh token to no other authorization server, but registers there anew', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await signIn(world);
    const other = closeAfterTest(await AuthorizationServer.start({ autoApprove: true }));
    world.server.authorizationServer = other;
    await expect(call(world, authorizer)).rejects.toMatchObject({ code: 'sign_in_required' });
    expect(other.count('/token')).toBe(0);
    expect(world.issuer.count('refresh_token')).toBe(0);
    await signIn(world);
    expect(await call(world, authorizer)).toBe(200);
    expect(other.count('/register')).toBe(1);
    const first = world.issuer.authorizations[0]?.get('client_id') ?? '';
    expect(JSON.stringify(other.requests)).not.toContain(first);
  });
});

describe('T20: many requests refused at once', () => {
  it('renews once for 20 parallel refusals of two connections, with rotation', async () => {
    const world = await setUp();
    const authorizers = [world.authorizer(), world.authorizer()];
    await signIn(world);
    for (const authorizer of authorizers) expect(await call(world, authorizer)).toBe(200);
    world.issuer.expireTokens();
    const calls = Array.from({ length: 20 }, (_, index) =>
      call(world, authorizers[index % 2] ?? world.authorizer()),
    );
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
    expect(world.issuer.count('refresh_token')).toBe(1);
    expect(world.issuer.count('reuse')).toBe(0);
    world.issuer.expireTokens();
    expect(await call(world, world.authorizer())).toBe(200);
    expect(world.issuer.count('refresh_token')).toBe(2);
    expect(world.issuer.count('reuse')).toBe(0);
  });
});

describe('T21: callbacks', () => {
  it('finishes a flow once', async () => {
    const world = await setUp();
    const url = await agree(await world.flows.begin(request));
    const both = await Promise.allSettled([
      world.flows.finish({ url }),
      world.flows.finish({ url }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(world.flows.finish({ url })).rejects.toMatchObject({ code: 'sign_in_failed' });
    expect(world.issuer.count('/token')).toBe(1);
  });

  it('refuses a wrong, a missing and a doubled state, and the flow waits on', async () => {
    const world = await setUp();
    const begun = await world.flows.begin(request);
    const url = new URL(await agree(begun));
    for (const change of ['state=wrong', '', `state=${begun.state}&state=${begun.state}`]) {
      const forged = `${redirectUri}?code=stolen&${change}`;
      await expect(world.flows.finish({ url: forged })).rejects.toMatchObject({
        details: { reason: 'no_such_flow' },
      });
    }
    expect(world.issuer.count('/token')).toBe(0);
    expect(await world.flows.finish({ url })).toEqual({ serverId: 'srv' });
  });

  it('finishes only the newest of two tabs', async () => {
    const world = await setUp();
    const first = await agree(await world.flows.begin(request));
    const second = await agree(await world.flows.begin(request));
    await expect(world.flows.finish({ url: first })).rejects.toMatchObject({
      details: { reason: 'no_such_flow' },
    });
    expect(await world.flows.finish({ url: second })).toEqual({ serverId: 'srv' });
  });

  it('does not let one person finish what another began', async () => {
    const world = await setUp();
    const url = await agree(await world.flows.begin(request));
    await expect(world.flows.finish({ owner: 'eve', url })).rejects.toMatchObject({
      details: { reason: 'no_such_flow' },
    });
    expect(await world.flows.finish({ owner: 'ann', url })).toEqual({ serverId: 'srv' });
    expect(await world.flows.state('eve', 'srv')).toEqual({ status: 'none' });
  });

  it('gives up after five minutes', async () => {
    const world = await setUp();
    const begun = await world.flows.begin(request);
    const url = await agree(begun);
    world.world.now = () => begun.expiresAt + 1;
    await expect(world.flows.finish({ url })).rejects.toMatchObject({
      details: { reason: 'no_such_flow' },
    });
    expect(world.issuer.count('/token')).toBe(0);
  });

  it('recognises an error redirect at once, and shows its words harmlessly', async () => {
    const world = await setUp();
    const { state } = await world.flows.begin(request);
    const url = new URL(redirectUri);
    const why = `no\u001B[31m\r\n‮${'x'.repeat(5000)}`;
    url.search = new URLSearchParams({
      error: 'access_denied',
      error_description: why,
      state,
      iss: world.issuer.issuer,
    }).toString();
    const failure = (await world.flows.finish({ url }).catch((error: unknown) => error)) as Error;
    expect(failure).toMatchObject({ code: 'sign_in_failed', details: { error: 'access_denied' } });
    expect(failure.message).toMatch(hostSays('auth-declined'));
    expect(failure.message).toMatch(/\(access_denied: no \[31m x+…\)\.$/);
    expect(failure.message.length).toBeLessThan(300);
    expect(world.issuer.count('/token')).toBe(0);
  });
});

describe('T22: tokens of others', () => {
  it('never reach another address, also not when the server itself is moved there', async () => {
    const world = await setUp();
    await signIn(world);
    const authorizer = world.authorizer();
    const elsewhere = { method: 'POST', url: new URL('http://127.0.0.1:1/mcp') };
    expect(await authorizer.headers(elsewhere)).toEqual({});
    const moved = closeAfterTest(await createProtectedServer(world.issuer));
    world.server.url = moved.url;
    await expect(call(world, world.authorizer())).rejects.toMatchObject({
      code: 'sign_in_required',
    });
    expect(moved.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('never reach a server in the name of somebody else', async () => {
    const world = await setUp();
    await signIn(world, 'ann');
    await expect(call(world, world.authorizer('bob'))).rejects.toMatchObject({
      code: 'sign_in_required',
    });
    expect(world.server.requests.at(-1)).not.toHaveProperty('authorization');
  });
});

describe('secrets', () => {
  it('are in no error and no line of the log, also if a server echoes them', async () => {
    const world = await setUp({ authorization: { authMethods: ['client_secret_basic'] } });
    const authorizer = world.authorizer();
    await signIn(world);
    world.issuer.expireTokens();
    const failures: unknown[] = [];
    for (const status of [500, 400]) {
      world.issuer.script.faults = {
        token() {
          const last = world.issuer.requests.at(-1);
          const basic = last?.headers['authorization']?.slice('Basic '.length) ?? '';
          const sent = `${last?.body} ${Buffer.from(basic, 'base64').toString()}`;
          const body = { error: 'bad', error_description: decodeURIComponent(sent) };
          return Response.json(body, { status });
        },
        revoke: () => new Response(world.issuer.requests.at(-1)?.body, { status: 400 }),
      };
      failures.push(await call(world, authorizer).catch((error: unknown) => error));
      world.world.now = () => Date.now() + 10_000;
    }
    await world.flows.signOut('ann', 'srv');
    expect(failures).toMatchObject([{ code: 'sign_in_failed' }, { code: 'sign_in_required' }]);
    const shown = failures.map((failure) => {
      const { message, hint, details, cause } = failure as Error & Record<string, unknown>;
      return JSON.stringify([message, hint, details, String(cause)]);
    });
    expect(shown[0]).toContain('•••');
    expect(shown[1]).toContain('•••');
    expect(shown.join() + world.logged.join()).not.toMatch(secrets);
  });
});
