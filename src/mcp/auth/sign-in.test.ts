import { describe, expect, it } from 'vitest';
import { agree, call, redirectUri, setUp, signIn } from '../../../test/fixtures/oauth.ts';

const request = { owner: 'ann', serverId: 'srv', redirectUri };

describe('signing in', () => {
  it('asks for a sign-in, and after it the server answers', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await expect(call(world, authorizer)).rejects.toMatchObject({
      code: 'sign_in_required',
      details: { serverId: 'srv' },
    });
    await signIn(world);
    expect(await call(world, authorizer)).toBe(200);
    expect(world.issuer.authorizations[0]?.get('resource')).toBe(world.server.url);
  });

  it.each(['named', 'path', 'root'] as const)(
    'finds the metadata of the server (%s), also without a refusal before',
    async (metadata) => {
      const world = await setUp({ protection: { metadata } });
      await signIn(world);
      expect(await call(world, world.authorizer())).toBe(200);
    },
  );

  it.each([
    [{ metadata: 'openid' }],
    [{ path: '/tenant1' }],
    [{ path: '/tenant1', metadata: 'openid' }],
    [{ path: '/tenant1', metadata: 'openid-appended' }],
  ] as const)('finds the metadata of the authorization server (%o)', async (authorization) => {
    const world = await setUp({ authorization });
    await signIn(world);
    expect(await call(world, world.authorizer())).toBe(200);
  });

  it('registers once for an address and again for another', async () => {
    const world = await setUp();
    await signIn(world);
    await signIn(world);
    expect(world.issuer.count('/register')).toBe(1);
    await world.flows.begin({ ...request, redirectUri: 'http://127.0.0.1:5000/back' });
    expect(world.issuer.count('/register')).toBe(2);
    const first = world.issuer.requests.find(({ path }) => path === '/register');
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
    });
  });

  it('uses its metadata document where the authorization server takes it', async () => {
    const metadataUrl = 'https://cerise.example/oauth/client.json';
    const world = await setUp({
      authorization: { clientDocuments: true },
      identity: { metadataUrl },
    });
    await signIn(world);
    expect(world.issuer.authorizations[0]?.get('client_id')).toBe(metadataUrl);
    expect(world.issuer.count('/register')).toBe(0);
    expect(await call(world, world.authorizer())).toBe(200);
  });

  it.each(['client_secret_basic', 'client_secret_post'])(
    'proves who it is with a configured secret (%s)',
    async (method) => {
      const secret = 'a secret: with % and +';
      const world = await setUp({
        authorization: {
          registration: false,
          authMethods: [method],
          clients: { mine: { secret } },
        },
        settings: { grant: 'authorization_code', clientId: 'mine', clientSecret: secret },
      });
      await signIn(world);
      expect(await call(world, world.authorizer())).toBe(200);
    },
  );

  it('says what to do where nobody can register', async () => {
    const world = await setUp({ authorization: { registration: false } });
    await expect(world.flows.begin(request)).rejects.toMatchObject({
      code: 'sign_in_required',
      hint: expect.stringContaining('client ID'),
    });
  });

  it('says what is possible where clients are only known by a public document', async () => {
    const world = await setUp({ authorization: { registration: false, clientDocuments: true } });
    await expect(world.flows.begin(request)).rejects.toMatchObject({
      code: 'sign_in_required',
      hint: expect.stringMatching(/CERISE_PUBLIC_URL.*client ID/),
      details: { needs: 'client_id', redirectUri: request.redirectUri },
    });
  });

  it.each([
    ['allow', 'signed-in'],
    ['deny', 'none'],
  ])(
    'lets a person decide on the page of the authorization server (%s)',
    async (decision, status) => {
      const world = await setUp({ authorization: { autoApprove: false } });
      const { authorizationUrl } = await world.flows.begin(request);
      const page = await (await fetch(authorizationUrl)).text();
      expect(page).toContain('Allow');
      const id = /name="id" value="([^"]+)"/.exec(page)?.[1] ?? '';
      const answer = await fetch(new URL('consent', authorizationUrl), {
        method: 'POST',
        body: new URLSearchParams({ id, decision }),
        redirect: 'manual',
      });
      const finished = world.flows.finish({ url: answer.headers.get('location') ?? '' });
      if (decision === 'deny') await expect(finished).rejects.toThrow('Access was denied');
      else await finished;
      expect(await world.flows.state('ann', 'srv')).toMatchObject({ status });
    },
  );

  it('asks for the scopes of the refusal, else for those of the metadata, else for none', async () => {
    const supported = { scopes_supported: ['basic', 'extra'] };
    const world = await setUp({ protection: { overrides: supported, challengeScope: 'basic' } });
    await signIn(world);
    expect(world.issuer.authorizations.at(-1)?.get('scope')).toBe('basic');
    const listed = await setUp({ protection: { overrides: supported } });
    await signIn(listed);
    expect(listed.issuer.authorizations.at(-1)?.get('scope')).toBe('basic extra');
    const silent = await setUp();
    await signIn(silent);
    expect(silent.issuer.authorizations.at(-1)?.has('scope')).toBe(false);
  });

  it('asks for offline_access only where it is offered', async () => {
    const protection = { challengeScope: 'basic offline_access' };
    const offered = await setUp({
      authorization: { scopes: ['basic', 'offline_access'] },
      protection,
    });
    await signIn(offered);
    expect(offered.issuer.authorizations[0]?.get('scope')).toBe('basic offline_access');
    const world = await setUp({ authorization: { scopes: ['basic'] }, protection });
    await signIn(world);
    expect(world.issuer.authorizations[0]?.get('scope')).toBe('basic');
  });

  it('steps up: asks for more on top of what it has, and keeps both', async () => {
    const world = await setUp({ protection: { challengeScope: 'basic' } });
    const authorizer = world.authorizer();
    await signIn(world);
    expect(await call(world, authorizer)).toBe(200);
    await expect(call(world, authorizer, 'admin_action')).rejects.toMatchObject({
      code: 'sign_in_required',
      details: { serverId: 'srv', scope: ['basic', 'admin'] },
    });
    await signIn(world);
    expect(await call(world, authorizer, 'admin_action')).toBe(200);
    expect(await call(world, authorizer)).toBe(200);
  });

  it('binds tokens to a key where the server wants it, with nonces of both', async () => {
    const world = await setUp({
      authorization: { dpop: 'nonce' },
      protection: { dpop: 'nonce' },
    });
    const authorizer = world.authorizer();
    await signIn(world);
    expect(await call(world, authorizer)).toBe(200);
    expect(await call(world, authorizer)).toBe(200);
    const proofs = world.server.requests.map(({ dpop }) => dpop).filter((it) => it !== undefined);
    expect(new Set(proofs).size).toBe(proofs.length);
    expect(world.issuer.authorizations[0]?.get('dpop_jkt')).toHaveLength(43);
  });

  it('signs in to servers of the first OAuth revision, with and without metadata', async () => {
    const world = await setUp({ protection: { metadata: 'none' } });
    const { flows, issuer } = world;
    // The server is its own authorization server: both answer on one address.
    Object.assign(world.server, { url: `${issuer.url}/mcp` });
    const withMetadata = await flows.begin(request);
    expect(new URL(withMetadata.authorizationUrl).pathname).toBe('/authorize');
    await flows.finish({ url: await agree(withMetadata) });
    issuer.script.metadata = 'none';
    issuer.script.iss = 'none';
    await flows.signOut('ann', 'srv');
    const begun = await flows.begin(request);
    expect(begun.authorizationUrl).toMatch(`${issuer.url}/authorize?`);
    expect(await flows.finish({ url: await agree(begun) })).toEqual({ serverId: 'srv' });
  });

  it('revokes both tokens at the sign-out and forgets them', async () => {
    const world = await setUp();
    const authorizer = world.authorizer();
    await signIn(world);
    expect(await call(world, authorizer)).toBe(200);
    const token = world.server.requests.at(-1)?.['authorization']?.split(' ')[1] ?? '';
    await world.flows.signOut('ann', 'srv');
    expect(world.issuer.inspect(token)).toBeUndefined();
    expect(world.issuer.count('/revoke')).toBe(2);
    expect(await world.flows.state('ann', 'srv')).toEqual({ status: 'none' });
    await expect(call(world, world.authorizer())).rejects.toMatchObject({
      code: 'sign_in_required',
    });
  });

  it('forgets tokens at the sign-out also if they cannot be revoked', async () => {
    const world = await setUp();
    await signIn(world);
    world.issuer.script.faults = { revoke: () => new Response(null, { status: 500 }) };
    await world.flows.signOut('ann', 'srv');
    expect(await world.flows.state('ann', 'srv')).toEqual({ status: 'none' });
    expect(world.logged.join()).toContain('Could not revoke a token');
  });

  it('tells the state without telling a token', async () => {
    const world = await setUp({
      authorization: { refreshTokens: false },
      protection: { challengeScope: 'basic' },
    });
    expect(await world.flows.state('ann', 'srv')).toEqual({ status: 'none' });
    await signIn(world);
    const state = await world.flows.state('ann', 'srv');
    expect(state).toMatchObject({
      status: 'signed-in',
      issuer: world.issuer.issuer,
      scope: ['basic'],
    });
    expect(JSON.stringify(state)).not.toMatch(/access-|refresh-/);
    world.world.now = () => Date.now() + 3_601_000;
    expect(await world.flows.state('ann', 'srv')).toMatchObject({ status: 'expired' });
  });

  it('knows only servers that are there, and redirects only to safe addresses', async () => {
    const { flows } = await setUp();
    await expect(flows.begin({ ...request, serverId: 'other' })).rejects.toMatchObject({
      code: 'server_not_found',
    });
    const unsafe = { ...request, redirectUri: 'http://cerise.example/back' };
    await expect(flows.begin(unsafe)).rejects.toMatchObject({ code: 'sign_in_failed' });
  });
});
