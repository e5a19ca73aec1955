import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { startServed } from './conformance/served.ts';
import { startEcho } from './fakes/echo-server.ts';
import { freshPlace, openApi, type TestApi } from './fixtures/http.ts';
import { call, makeKey, modern, post, prefix, withKey } from './fixtures/mcp-posts.ts';

describe('a slow call', () => {
  const form = { elicitation: { form: {} } };
  const tasks = { extensions: { [`${prefix}/tasks`]: {} } };

  async function openSlow(limits: Partial<Limits> = {}) {
    const echo = await startEcho();
    const api = await openApi({ limits: { mcpTaskAfter: 50, ...limits } });
    const server = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url, autoApprove: ['*'] };
    await api.json('POST', '/api/servers', server);
    return { api, echo };
  }

  async function hold(api: TestApi): Promise<string> {
    const { result } = await call(api, '/mcp/echo', 'hold', {}, tasks);
    expect(result).toMatchObject({ resultType: 'task', status: 'working' });
    return result?.taskId as string;
  }

  async function ofTask(
    api: TestApi,
    method: string,
    params: JsonObject,
    path = '/mcp/echo',
  ): Promise<JsonObject> {
    const _meta = {
      [`${prefix}/protocolVersion`]: modern,
      [`${prefix}/clientCapabilities`]: { ...tasks, ...form },
    };
    const headers = { 'mcp-protocol-version': modern, 'mcp-method': method };
    const message = { id: 3, method, params: { ...params, _meta } };
    const response = await post(api, path, message, headers);
    return ((await response.json()) as { result: JsonObject }).result;
  }

  const look = (api: TestApi, taskId: string) => ofTask(api, 'tasks/get', { taskId });

  it('becomes a task for a program that knows tasks', async () => {
    const { api, echo } = await openSlow();
    const keyed = withKey(api, await makeKey(api));
    const id = await hold(keyed);
    expect(await look(keyed, id)).toMatchObject({ status: 'working' });
    echo.release();
    await expect
      .poll(() => look(keyed, id))
      .toMatchObject({ status: 'completed', result: { content: [{ text: 'released' }] } });
  });

  it('says as a task that it waits for an approval, and where', async () => {
    const echo = await startEcho();
    // By then the call is recorded, however busy the machine is.
    const api = await openApi({ limits: { mcpTaskAfter: 1000 } });
    const server = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url };
    await api.json('POST', '/api/servers', server);
    const keyed = withKey(api, await makeKey(api));
    const { result } = await call(
      keyed,
      '/mcp/echo',
      'echo',
      { arguments: { words: 'hi' } },
      tasks,
    );
    const statusMessage = expect.stringMatching(/^Waiting for approval: http:.*\/\?inbox$/);
    expect(result).toMatchObject({ resultType: 'task', status: 'working', statusMessage });
    const taskId = result?.taskId as string;
    expect(await look(keyed, taskId)).toMatchObject({ status: 'working', statusMessage });
    await api.json('POST', `/api/tool-calls/${taskId}/decision`, {
      decision: 'approve',
      scope: 'once',
      argsHash: (await api.json<ToolCallView>('GET', `/api/tool-calls/${taskId}`)).argsHash,
    });
    await expect.poll(() => look(keyed, taskId)).toMatchObject({ status: 'completed' });
    expect(await look(keyed, taskId)).not.toHaveProperty('statusMessage');
  });

  it('is not called off while it works, however long that takes', async () => {
    const { api, echo } = await openSlow({ inputTime: 100 });
    const keyed = withKey(api, await makeKey(api));
    const id = await hold(keyed);
    await setTimeout(300);
    expect(await look(keyed, id)).toMatchObject({ status: 'working' });
    echo.release();
    await expect.poll(() => look(keyed, id)).toMatchObject({ status: 'completed' });
  });

  it('asks its program on whichever host that looks at it', async () => {
    const place = await freshPlace();
    // A call that asks is looked at by its name in the same way, whether it is a task by then or not.
    const first = await openApi({ place });
    const served = await startServed();
    onTestFinished(() => served.close());
    const server = { type: 'streamableHttp', name: 'served', autoApprove: ['*'] };
    await first.json('POST', '/api/servers', { ...server, baseUrl: served.url });
    const key = await makeKey(first);
    const name = 'test_input_required_result_elicitation';
    const both = { ...tasks, ...form };
    const asked = await call(withKey(first, key), '/mcp/served', name, {}, both);
    const [, taskId = ''] = /^call\.(.*)\.\d+$/.exec(asked.result?.requestState as string) ?? [];
    await first.close();
    const second = withKey(await openApi({ place }), key);
    const waiting = await ofTask(second, 'tasks/get', { taskId }, '/mcp/served');
    expect(waiting).toMatchObject({ status: 'input_required' });
    const [question = ''] = Object.keys(waiting.inputRequests as JsonObject);
    const inputResponses = { [question]: { action: 'accept', content: { name: 'Ada' } } };
    await ofTask(second, 'tasks/update', { taskId, inputResponses }, '/mcp/served');
    const again = () => ofTask(second, 'tasks/get', { taskId }, '/mcp/served');
    await expect.poll(again).toMatchObject({ status: 'completed' });
    expect(JSON.stringify((await again()).result)).toContain('Ada');
  });

  it('goes on, however many calls another key makes', async () => {
    const { api } = await openSlow({ mcpSessions: 2, mcpSessionsPerKey: 1 });
    const one = withKey(api, await makeKey(api));
    const other = withKey(api, await makeKey(api));
    const own = await hold(one);
    const first = await hold(other);
    await hold(other);
    expect(await look(one, own)).toMatchObject({ status: 'working' });
    await expect.poll(() => look(other, first)).toMatchObject({ status: 'cancelled' });
  });
});
