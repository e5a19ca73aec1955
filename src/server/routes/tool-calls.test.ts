import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DirectCallPage, ToolCallView } from '#shared/api/tool-call-api.ts';
import { emptyPlace, errorOf, openApi, type TestApi } from '../../../test/fixtures/http.ts';
import { readFrames } from '../../../test/fixtures/sse-reader.ts';

const writeFile = '/api/servers/filesystem/tools/write_file/call';

async function propose(api: TestApi, content = 'written') {
  const response = await api.send('POST', writeFile, { arguments: { path: 'a.txt', content } });
  expect(response.status).toBe(202);
  return (await response.json()) as ToolCallView & { toolCallId: string };
}

const decide = (api: TestApi, id: string, body: object) =>
  api.send('POST', `/api/tool-calls/${id}/decision`, body);

/** A call once it has ended. */
async function ended(api: TestApi, id: string): Promise<ToolCallView> {
  const read = () => api.json<ToolCallView>('GET', `/api/tool-calls/${id}`);
  await expect.poll(async () => (await read()).endedAt, { interval: 5 }).toBeTypeOf('number');
  return read();
}

describe('a direct call', () => {
  it('of a read-only built-in tool runs at once', async () => {
    const api = await openApi();
    const response = await api.send('POST', '/api/servers/calculator/tools/calculate/call', {
      arguments: { expression: '6*7' },
    });
    expect(response.status).toBe(200);
    const result = (await response.json()) as { toolCallId: string; content: unknown[] };
    expect(JSON.stringify(result.content)).toContain('42');
    expect(await ended(api, result.toolCallId)).toMatchObject({ state: 'succeeded' });
  });

  it('that may change something waits, and runs once when it is approved', async () => {
    const api = await openApi();
    const file = join(api.place.home, 'workspace/a.txt');
    const { toolCallId, argsHash } = await propose(api);
    expect(existsSync(file)).toBe(false);
    const body = { decision: 'approve', argsHash };
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => (await decide(api, toolCallId, body)).status),
    );
    expect(answers.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
    const call = await ended(api, toolCallId);
    expect(call).toMatchObject({ state: 'succeeded', toolName: 'write_file' });
    expect(JSON.stringify(call.result)).toContain('a.txt');
    expect(await readFile(file, 'utf8')).toBe('written');
    const late = await decide(api, toolCallId, { decision: 'deny', argsHash });
    expect(await errorOf(late)).toMatchObject({ status: 409, code: 'already_decided' });
  });

  it('Try it asks for approval: runs at once where its caller approves it, as the audit says', async () => {
    const api = await openApi();
    const call = (path: string, more: object = { approve: 'once' }) =>
      api.send('POST', writeFile, { arguments: { path, content: 'mine' }, ...more });
    const ran = await call('a.txt');
    expect(ran.status).toBe(200);
    const { toolCallId } = (await ran.json()) as { toolCallId: string };
    expect(await readFile(join(api.place.home, 'workspace/a.txt'), 'utf8')).toBe('mine');
    const { argsHash } = await ended(api, toolCallId);
    const audit = await api.host.store.db
      .selectFrom('audit')
      .select(['action', 'details'])
      .where('subject', '=', toolCallId)
      .execute();
    expect(audit.map(({ action, details }) => [action, JSON.parse(details ?? '{}')])).toEqual([
      [
        'tool-call.approve',
        { toolName: 'write_file', serverId: 'filesystem', argsHash, scope: 'once' },
      ],
    ]);
    // Nothing is remembered, and who does not approve is asked about.
    expect((await call('b.txt', {})).status).toBe(202);
    expect((await call('b.txt', { approve: 'always' })).status).toBe(400);
    // What is denied or refused stays so.
    await api.json('PUT', '/api/policy', { rules: [{ action: 'deny', serverId: 'filesystem' }] });
    expect(await errorOf(await call('c.txt'))).toMatchObject({ status: 403, code: 'denied' });
    expect(existsSync(join(api.place.home, 'workspace/c.txt'))).toBe(false);
  });

  it('does not run when it is denied, or approved for other arguments', async () => {
    const api = await openApi();
    const one = await propose(api, 'one');
    const two = await propose(api, 'two');
    const mixed = await decide(api, one.toolCallId, {
      decision: 'approve',
      argsHash: two.argsHash,
    });
    expect(await errorOf(mixed)).toMatchObject({ status: 409, code: 'arguments_changed' });
    const denied = await decide(api, one.toolCallId, { decision: 'deny', argsHash: one.argsHash });
    expect(await denied.json()).toMatchObject({ state: 'denied', error: { code: 'denied' } });
    expect(existsSync(join(api.place.home, 'workspace/a.txt'))).toBe(false);
    expect(await api.json('GET', `/api/tool-calls/${two.toolCallId}`)).toMatchObject({
      state: 'proposed',
    });
  });

  it('is remembered as approved for ever where a person said so', async () => {
    const api = await openApi();
    const { toolCallId, argsHash } = await propose(api);
    await decide(api, toolCallId, { decision: 'approve', argsHash, scope: 'always' });
    await ended(api, toolCallId);
    const next = await api.send('POST', writeFile, { arguments: { path: 'b.txt', content: 'b' } });
    expect(next.status).toBe(200);
    expect(await readFile(join(api.place.home, 'workspace/b.txt'), 'utf8')).toBe('b');
  });

  it('with wrong arguments is refused before anybody is asked', async () => {
    const api = await openApi();
    for (const args of [{}, { path: 7, content: 'x' }, { path: 'a' }])
      expect(await errorOf(await api.send('POST', writeFile, { arguments: args }))).toMatchObject({
        status: 400,
        code: 'invalid_arguments',
      });
  });

  it('shows the tool’s own failure as a result', async () => {
    const api = await openApi();
    const response = await api.send('POST', '/api/servers/demo/tools/fail/call', {
      arguments: { message: 'on purpose' },
    });
    const result = (await response.json()) as { isError: boolean; toolCallId: string };
    expect(result.isError).toBe(true);
    expect(await ended(api, result.toolCallId)).toMatchObject({
      state: 'failed',
      error: { code: 'tool_failed', message: 'on purpose' },
    });
  });

  it('can be cancelled by the name its caller gave it', async () => {
    const api = await openApi();
    const calling = api.send('POST', '/api/servers/demo/tools/slow_task/call', {
      arguments: { seconds: 60, steps: 1 },
      callId: 'mine',
    });
    await expect
      .poll(async () => (await api.send('POST', '/api/tool-calls/mine/abort')).status, {
        interval: 5,
      })
      .toBe(202);
    expect(await errorOf(await calling)).toMatchObject({ code: 'cancelled' });
    expect(await ended(api, 'mine')).toMatchObject({ state: 'cancelled' });
    const again = await api.send('POST', '/api/tool-calls/mine/abort');
    expect(await errorOf(again)).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('has a name of its own, also when two callers choose the same at once', async () => {
    const api = await openApi();
    const call = () =>
      api.send('POST', '/api/servers/demo/tools/echo/call', {
        arguments: { message: 'hi' },
        callId: 'mine',
      });
    const statuses = (await Promise.all([call(), call(), call()])).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  });

  it('says why it asks in words and as a code', async () => {
    const api = await openApi();
    const { toolCallId } = await propose(api);
    const call = await api.json<ToolCallView>('GET', `/api/tool-calls/${toolCallId}`);
    expect(call).toMatchObject({
      reason: 'may_destroy',
      rule: expect.stringMatching(/delete or overwrite/),
    });
    const rule = { action: 'ask', note: 'I want to see it' };
    await api.send('PUT', '/api/policy', { rules: [rule] });
    const other = await propose(api, 'other');
    expect(other).toMatchObject({ rule: 'I want to see it' });
    expect(other).not.toHaveProperty('reason');
  });

  it('that waits is told to whoever begins to listen', async () => {
    const api = await openApi();
    const { toolCallId } = await propose(api);
    const seen: unknown[] = [];
    await readFrames(await api.send('GET', '/api/events'), ({ event }) => {
      seen.push(event);
      return true;
    });
    const tool = { serverId: 'filesystem', toolName: 'write_file' };
    expect(seen).toEqual([{ type: 'tool-call-waiting', toolCallId, ...tool }]);
  });

  it('that waited when Cerise ended is decided afterwards, and its result is read then', async () => {
    const place = await emptyPlace();
    const before = await openApi({ place });
    const { toolCallId, argsHash } = await propose(before);
    await before.close();
    const after = await openApi({ place });
    expect(existsSync(join(place.home, 'workspace/a.txt'))).toBe(false);
    await decide(after, toolCallId, { decision: 'approve', argsHash });
    expect(await ended(after, toolCallId)).toMatchObject({ state: 'succeeded' });
    expect(existsSync(join(place.home, 'workspace/a.txt'))).toBe(true);
  });

  it('that a rule denies by the time it is approved is answered with 409 and the rule', async () => {
    const api = await openApi();
    const { toolCallId, argsHash } = await propose(api);
    const rules = [{ action: 'deny', serverId: 'filesystem', note: 'nothing is written here' }];
    await api.json('PUT', '/api/policy', { rules });
    const late = await errorOf(await decide(api, toolCallId, { decision: 'approve', argsHash }));
    expect(late).toMatchObject({ status: 409, code: 'no_longer_allowed' });
    expect(late.message).toContain('nothing is written here');
    expect(await ended(api, toolCallId)).toMatchObject({ state: 'denied' });
  });
});

describe('calls outside of conversations', () => {
  it('are listed, read and deleted by whoever made them', async () => {
    const api = await openApi();
    const path = '/api/servers/calculator/tools/calculate/call';
    for (const expression of ['1+1', '2+2', '3+3'])
      await api.json('POST', path, { arguments: { expression } });
    const page = await api.json<DirectCallPage>('GET', '/api/tool-calls?limit=2');
    expect(page.calls).toMatchObject([
      { toolName: 'calculate', state: 'succeeded', reach: 'ended' },
      { toolName: 'calculate', state: 'succeeded', reach: 'ended' },
    ]);
    const after = encodeURIComponent(page.next ?? '');
    const rest = await api.json<DirectCallPage>('GET', `/api/tool-calls?after=${after}`);
    expect(rest.calls).toHaveLength(1);
    expect(rest.next).toBeUndefined();
    const first = rest.calls[0]?.id ?? '';
    expect(await api.json('GET', `/api/tool-calls/${first}`)).toMatchObject({
      arguments: { expression: '1+1' },
    });
    expect((await api.send('DELETE', `/api/tool-calls/${first}`)).status).toBe(204);
    expect(await errorOf(await api.send('GET', `/api/tool-calls/${first}`))).toMatchObject({
      status: 404,
      code: 'tool_call_not_found',
    });
    expect(await api.json('DELETE', '/api/tool-calls')).toEqual({ deleted: 2 });
    expect(await api.json('GET', '/api/tool-calls')).toEqual({ calls: [] });
    const bad = await api.send('GET', '/api/tool-calls?after=nowhere');
    expect(await errorOf(bad)).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('Try it loses its result: are listed by server and tool', async () => {
    const api = await openApi();
    const add = '/api/servers/calculator/tools/calculate/call';
    await api.json('POST', add, { arguments: { expression: '1+1' } });
    await api.json('POST', '/api/servers/demo/tools/echo/call', { arguments: { message: 'hi' } });
    const names = async (query: string) =>
      (await api.json<DirectCallPage>('GET', `/api/tool-calls?${query}`)).calls.map(
        ({ toolName }) => toolName,
      );
    expect(await names('serverId=demo')).toEqual(['echo']);
    expect(await names('serverId=calculator&toolName=calculate')).toEqual(['calculate']);
    expect(await names('serverId=calculator&toolName=echo')).toEqual([]);
  });

  it('T76: with a key are kept once: the answer to a repeat is read from the call', async () => {
    const api = await openApi();
    const path = '/api/servers/calculator/tools/calculate/call';
    const call = (expression: string, callId?: string) =>
      api.send(
        'POST',
        path,
        { arguments: { expression }, ...(callId && { callId }) },
        { 'idempotency-key': `k${callId}` },
      );
    for (const callId of [undefined, 'mine']) {
      const first = await (await call('6*7', callId)).json();
      expect(JSON.stringify(first)).toContain('42');
      expect(await (await call('6*7', callId)).json()).toEqual(first);
      expect(await errorOf(await call('6*8', callId))).toMatchObject({
        code: 'idempotency_mismatch',
      });
    }
    const rows = await api.host.store.db.selectFrom('idempotency').select('body').execute();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('42');
    expect((await api.json<{ calls: object[] }>('GET', '/api/tool-calls')).calls).toHaveLength(2);
  });

  it('T76: that were deleted do not answer or run under their key, and leave nothing behind', async () => {
    const api = await openApi();
    const path = '/api/servers/calculator/tools/calculate/call';
    const call = () =>
      api.send('POST', path, { arguments: { expression: '6*7' } }, { 'idempotency-key': 'k' });
    const { toolCallId } = (await (await call()).json()) as { toolCallId: string };
    expect(await (await call()).text()).toContain(toolCallId);
    await api.send('DELETE', `/api/tool-calls/${toolCallId}`);
    expect(await errorOf(await call())).toMatchObject({ code: 'tool_call_not_found' });
    const left = await api.host.store.db.selectFrom('idempotency').select('body').execute();
    expect(JSON.stringify(left)).not.toContain('42');
  });
});
