import { describe, expect, it } from 'vitest';
import type { ToolView } from '#shared/api/api.ts';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { PolicyDocument } from '#shared/vocabulary/policy-api.ts';
import { errorOf, openApi, type TestApi } from '../../../test/fixtures/http.ts';
import { addPliable, tool } from '../../../test/fixtures/pliable.ts';

const fetchText = { serverId: 'fetch', toolName: 'fetch_text' };
const on = (host: string, path = '') => ({ arguments: { url: `http://${host}/${path}` } });

interface Verdict {
  action: string;
  rule: string;
  ruleId?: string;
}
const tested = (api: TestApi, body: object) => api.json<Verdict>('POST', '/api/policy/test', body);

describe('the API of the policy', () => {
  it('gives back what was written, and says by which rule a call would be judged', async () => {
    const api = await openApi();
    const before = await api.json<PolicyDocument>('GET', '/api/policy');
    expect(before).toMatchObject({ rules: [], trustedServers: [], safeToRepeat: [] });
    const rules = [
      { action: 'deny', serverId: 'filesystem', toolName: 'write_*', note: 'nothing is written' },
      { action: 'allow', ...fetchText, arguments: [{ pointer: '/url', host: '*.example' }] },
    ];
    const body = { rules, version: before.version };
    const written = await api.json<PolicyDocument>('PUT', '/api/policy', body);
    expect(written.rules).toMatchObject(rules);
    expect(await api.json('GET', '/api/policy')).toEqual(written);
    expect(await tested(api, { ...fetchText, ...on('a.example') })).toMatchObject({
      action: 'allow',
      ruleId: written.rules[1]?.id,
    });
    expect(await tested(api, { ...fetchText, ...on('a.test') })).toMatchObject({ action: 'ask' });
    const write = { serverId: 'filesystem', toolName: 'write_file' };
    expect(await tested(api, write)).toMatchObject({ action: 'deny', rule: 'nothing is written' });
    const call = await api.send('POST', '/api/servers/filesystem/tools/write_file/call', {
      arguments: { path: 'a', content: 'a' },
    });
    expect(await errorOf(call)).toMatchObject({ status: 403, code: 'denied' });
    const stale = await api.send('PUT', '/api/policy', body);
    expect(await errorOf(stale)).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('stumble: tells with each tool of a server what becomes of its calls, and why', async () => {
    const api = await openApi();
    const verdicts = async () => {
      const { tools } = await api.json<{ tools: ToolView[] }>(
        'GET',
        '/api/servers/filesystem/tools',
      );
      return Object.fromEntries(tools.map(({ name, verdict }) => [name, verdict]));
    };
    expect(await verdicts()).toMatchObject({
      read_text_file: { action: 'allow', reason: 'read_only' },
      write_file: { action: 'ask', reason: expect.any(String) },
    });
    const rules = [
      { action: 'deny', serverId: 'filesystem', toolName: 'write_*', note: 'nothing is written' },
      {
        action: 'ask',
        serverId: 'filesystem',
        toolName: 'read_text_file',
        arguments: [{ pointer: '/path', prefix: 'secret/' }],
      },
    ];
    const written = await api.json<PolicyDocument>('PUT', '/api/policy', { rules });
    const after = await verdicts();
    expect(after['write_file']).toEqual({
      action: 'deny',
      rule: 'nothing is written',
      ruleId: written.rules[0]?.id,
    });
    expect(after['read_text_file']).toMatchObject({ action: 'allow', varies: true });
    expect(await tested(api, { serverId: 'filesystem', toolName: 'write_file' })).toEqual(
      after['write_file'],
    );
  });

  it.each([
    {},
    { rules: 'all' },
    { rules: [{}] },
    { rules: [{ action: 'maybe' }] },
    { rules: [{ action: 'deny', regex: '.*' }] },
    { rules: [{ action: 'deny', arguments: [{ pointer: 'url', host: 'a' }] }] },
    { rules: [{ action: 'deny', arguments: [{ pointer: '/url' }] }] },
    { rules: [{ action: 'deny', arguments: [{ pointer: '/url', host: 'a', glob: 'b' }] }] },
    { rules: [{ action: 'deny', toolName: 'x'.repeat(300) }] },
    { rules: Array.from({ length: 3001 }, () => ({ action: 'ask' })) },
    { rules: [], safeToRepeat: ['x'] },
  ])('refuses what is no policy (%#), and keeps the one there is', async (body) => {
    const api = await openApi();
    const response = await api.send('PUT', '/api/policy', body);
    expect(await errorOf(response)).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(await api.json('GET', '/api/policy')).toMatchObject({ rules: [] });
  });

  it('asks about each host once where a person allows it for good', async () => {
    const api = await openApi();
    const call = (host: string, path = '', toolName = 'fetch_text') =>
      api.json<ToolCallView>('POST', `/api/servers/fetch/tools/${toolName}/call`, on(host, path));
    const first = await call('127.0.0.1:9', 'a');
    expect(first).toMatchObject({ state: 'proposed' });
    const body = { decision: 'approve', argsHash: first.argsHash, scope: 'host' };
    await api.json('POST', `/api/tool-calls/${first.id}/decision`, body);
    for (const name of ['fetch_text', 'fetch_json'])
      expect(await call('127.0.0.1:9', 'b', name)).not.toHaveProperty('state', 'proposed');
    expect(await call('127.0.0.1:8', 'b')).toHaveProperty('state', 'proposed');
    const { rules } = await api.json<PolicyDocument>('GET', '/api/policy');
    expect(rules).toMatchObject([{ source: 'decision', action: 'allow', serverId: 'fetch' }]);
    const search = await api.json<ToolCallView>(
      'POST',
      '/api/servers/filesystem/tools/write_file/call',
      { arguments: { path: 'a', content: 'a' } },
    );
    const noHost = await api.send('POST', `/api/tool-calls/${search.id}/decision`, {
      decision: 'approve',
      argsHash: search.argsHash,
      scope: 'host',
    });
    expect(await errorOf(noHost)).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('decides on several calls at once, each with its own result', async () => {
    const api = await openApi();
    const propose = (path: string) =>
      api.json<ToolCallView>('POST', '/api/servers/filesystem/tools/write_file/call', {
        arguments: { path, content: 'x' },
      });
    const [one, two] = [await propose('one'), await propose('two')];
    const decisions = [
      { toolCallId: one.id, decision: 'deny', argsHash: one.argsHash },
      { toolCallId: two.id, decision: 'deny', argsHash: one.argsHash },
      { toolCallId: 'nowhere', decision: 'deny', argsHash: 'x' },
    ];
    const answer = await api.json('POST', '/api/tool-calls/decisions', { decisions });
    expect(answer).toMatchObject({
      results: [
        { toolCallId: one.id, call: { state: 'denied' } },
        { toolCallId: two.id, error: { code: 'arguments_changed' } },
        { toolCallId: 'nowhere', error: { code: 'tool_call_not_found' } },
      ],
    });
    for (const body of [{}, { decisions: [] }, { decisions: [{ toolCallId: one.id }] }])
      expect((await api.send('POST', '/api/tool-calls/decisions', body)).status).toBe(400);
  });

  it('shows what changed of a tool, and takes the approval of exactly that', async () => {
    const api = await openApi();
    const { server, say } = await addPliable(api.host, 'bank', { tools: [tool('pay')] });
    const path = `/api/servers/${server.id}`;
    const pay = async () =>
      (await api.json<{ tools: ToolView[] }>('GET', `${path}/tools`)).tools[0];
    expect(await pay()).not.toHaveProperty('changed');
    say({ tools: [tool('pay', { annotations: { readOnlyHint: true } })] });
    await api.send('POST', `${path}/restart`, {});
    const shown = await pay();
    expect(shown).toMatchObject({
      modelName: '',
      changed: { before: { annotations: {} }, after: { annotations: { readOnlyHint: true } } },
    });
    const refused = await api.send('POST', `${path}/tools/pay/call`, {});
    expect(await errorOf(refused)).toMatchObject({ status: 409, code: 'tool_changed' });
    const approve = (definitionHash: unknown, name = 'pay') =>
      api.send('POST', `${path}/tools/${name}/approve`, { definitionHash });
    expect(await errorOf(await approve('other'))).toMatchObject({ code: 'tool_changed' });
    expect(await errorOf(await approve('x', 'gone'))).toMatchObject({ code: 'tool_not_found' });
    expect((await approve(shown?.definitionHash)).status).toBe(204);
    expect(await pay()).not.toHaveProperty('changed');
  });
});
