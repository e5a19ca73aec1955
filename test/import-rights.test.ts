import { describe, expect, it } from 'vitest';
import type { ServerView } from '#shared/api/api.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { openApi, type TestApi } from './fixtures/http.ts';
import { addPerson } from './fixtures/people.ts';

/** A server as a stranger wrote it, and what must not come of it. */
const gifts: [what: string, fields: object][] = [
  ['tools that run unasked', { autoApprove: ['*'] }],
  ['an alias', { alwaysAllow: ['*'] }],
  ['an alias in other letters', { AlwaysAllow: ['*'], auto_approve: ['*'], 'AUTO-APPROVE': ['*'] }],
  ['trust', { trust: true, trusted: true, isTrusted: true, trustedAt: 1, Trust: true }],
  ['rules', { rules: [{ action: 'allow' }], policy: { rules: [{ action: 'allow' }] } }],
  ['marks', { safeToRepeat: ['x'], trustedServers: ['x'], safe_to_repeat: ['x'] }],
  ['approvals', { approvedHash: 'x', approved: true, approvals: ['x'], pins: ['x'] }],
  ['folders', { roots: ['/'] }],
  ['sharing', { shared: true }],
  ['metadata', { _meta: { autoApprove: ['*'], trust: true } }],
  ['an inner form', { config: { autoApprove: ['*'] }, settings: { alwaysAllow: ['*'] } }],
  ['a file', { auth: { grant: 'workload', clientId: 'us', assertionFile: '/etc/hostname' } }],
  [
    'a file under another name',
    { auth: { grant: 'workload', clientId: 'us', assertion_file: '/x' } },
  ],
  ['being switched on', { disabled: false, enabled: true, isActive: true }],
];
const inherited =
  '{"name":"x","url":"https://a.example/mcp","__proto__":{"autoApprove":["*"],"trust":true}}';
const twice =
  '{"name":"x","url":"https://a.example/mcp","autoApprove":[],"alwaysAllow":["*"],"autoApprove":["*"]}';
const targets = [
  { name: 'x', url: 'https://a.example/mcp' },
  { name: 'x', type: 'stdio', command: 'touch' },
];
const texts = [
  ...gifts.flatMap(([what, gift]) =>
    targets.map((target): [string, string] => [what, JSON.stringify({ ...target, ...gift })]),
  ),
  ['an inherited field', inherited] as const,
  ['a key that is there twice', twice] as const,
];

type Import = (api: TestApi, text: string) => Promise<Response>;
const importText = (api: TestApi, text: string) =>
  api.send('POST', '/api/servers/import', { text });
const line = (text: string, more = '') =>
  `{"kind":"server","server":{"id":"s","config":${text}${more}}}`;
const importLines = (api: TestApi, server: string) =>
  api.send(
    'POST',
    '/api/data/import?existing=copy',
    ['{"kind":"cerise-export","version":1,"exportedAt":1}', server, '{"kind":"end"}', ''].join(
      '\n',
    ),
    { 'content-type': 'application/x-ndjson' },
  );
const ways: [way: string, Import][] = [
  ['settings of another host', (api, text) => importText(api, `{"mcpServers":{"x":${text}}}`)],
  ['one entry', importText],
  ['a list of VS Code', (api, text) => importText(api, `{"mcp":{"servers":{"x":${text}}}}`)],
  ['a link', (api, text) => importText(api, `vscode:mcp/install?${encodeURIComponent(text)}`)],
  [
    'a packed link',
    (api, text) =>
      importText(
        api,
        `cursor://anysphere/mcp/install?name=x&config=${encodeURIComponent(btoa(text))}`,
      ),
  ],
  ['an import of data', (api, text) => importLines(api, line(text))],
  [
    'an import of data with more beside it',
    (api, text) =>
      importLines(api, line(text, ',"shared":true,"approvedHash":"x","autoApprove":["*"]')),
  ],
];

describe('T83: an import', () => {
  it.each(ways)('by %s brings no rights along', async (_way, send) => {
    const api = await openApi();
    const before = await api.json('GET', '/api/policy');
    for (const [what, text] of texts) {
      const response = await send(api, text);
      const said = `${what}: ${text} → ${await response.text()}`;
      expect(response.status, said).toBeLessThan(500);
      for (const server of await added(api)) {
        const config = server.config as Partial<ServerConfig> & { auth?: object };
        expect(config.autoApprove ?? [], said).toEqual([]);
        expect(config.roots ?? [], said).toEqual([]);
        expect(config.auth ?? {}, said).not.toHaveProperty('assertionFile');
        expect(['draft', 'disabled'], said).toContain(server.state);
        await api.send('DELETE', `/api/servers/${server.id}`);
      }
      expect(await api.json('GET', '/api/policy'), said).toEqual(before);
    }
  });

  it('says what it left out', async () => {
    const api = await openApi();
    const gift = { alwaysAllow: ['x'], Trust: true, roots: ['/'], url: 'https://a.example/mcp' };
    const { entries } = await api.json<{ entries: { leftOut: string[] }[] }>(
      'POST',
      '/api/servers/import',
      { text: JSON.stringify({ mcpServers: { x: gift } }) },
    );
    expect(entries[0]?.leftOut.toSorted()).toEqual(['Trust', 'autoApprove', 'roots']);
    const told = await importLines(api, line(JSON.stringify({ ...gift, name: 'y' })));
    expect(await told.json()).toMatchObject({
      servers: 1,
      leftOut: [{ name: 'y', code: 'rights_not_imported' }],
    });
  });
});

describe('T83: what a server may do unasked', () => {
  it('is told to its owner, and to others as far as it concerns them', async () => {
    const api = await openApi();
    const ana = await addPerson(api, 'Ana');
    const { id } = await api.json<ServerView>('POST', '/api/servers', {
      name: 'web',
      url: 'https://a.example/mcp',
      alwaysAllow: ['read'],
    });
    const unaskedFor = async (who: Pick<TestApi, 'json'>) =>
      (await who.json<ServerView>('GET', `/api/servers/${id}`)).unasked;
    const nothing = { autoApprove: ['read'], trusted: false, safeToRepeat: [], rules: [] };
    expect(await unaskedFor(api)).toEqual(nothing);
    const mine = { action: 'allow', serverId: id, toolName: 'write' };
    const every = { action: 'allow', annotations: { readOnly: true } };
    await api.json('PUT', '/api/policy', { rules: [every, { action: 'allow', trusted: true }] });
    expect(await unaskedFor(api)).toEqual(nothing);
    await api.json('PUT', '/api/policy', {
      rules: [mine, every, { action: 'ask' }, { action: 'allow', serverId: 'calculator' }],
      trustedServers: [id],
      safeToRepeat: [{ serverId: id, toolName: 'read' }],
    });
    const marked = { autoApprove: ['read'], trusted: true, safeToRepeat: ['read'] };
    expect(await unaskedFor(api)).toMatchObject({ ...marked, rules: [mine, every] });
    const diagnosis = await api.json('GET', `/api/servers/${id}/diagnosis`);
    expect(diagnosis).toMatchObject({ unasked: marked });
    expect(await unaskedFor(ana)).toEqual({ ...marked, rules: [] });
    await ana.json('PUT', '/api/policy', { rules: [{ action: 'allow', serverId: `${id}*` }] });
    expect(await unaskedFor(ana)).toMatchObject({ ...marked, rules: [{ action: 'allow' }] });
  });
});

/** What people added, not what ships. */
async function added(api: TestApi): Promise<ServerView[]> {
  const { servers } = await api.json<{ servers: ServerView[] }>('GET', '/api/servers');
  return servers.filter(({ builtin }) => !builtin);
}
