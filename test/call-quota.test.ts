import { describe, expect, it, onTestFinished } from 'vitest';
import type { CreatedKeyView } from '#shared/api/people-api.ts';
import type { ServerView } from '#shared/api/api.ts';
import { describeEachDatabase } from './databases.ts';
import { startEcho } from './fakes/echo-server.ts';
import { expectSums } from './fixtures/recount-sums.ts';
import { errorOf, openApi } from './fixtures/http.ts';
import { openHost, owner } from './host.ts';

const limits = { storedPerPerson: 1024 ** 2 };
const full = { code: 'quota_exceeded' };
const words = (length: number) => ({ words: 'ü'.repeat(length / 2) });

describe('T81: calls outside of any chat', () => {
  describeEachDatabase((_open, fresh) => {
    async function start() {
      const echo = await startEcho();
      const host = await openHost(fresh, { limits });
      onTestFinished(() => host.close());
      const config = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url } as const;
      const { id } = await host.servers.add(owner, { ...config, autoApprove: ['*'] });
      const call = (length: number, once?: string) =>
        host.callTool(owner, id, 'echo', words(length), { once });
      return { echo, host, call };
    }

    it('count as what their person stores, and one that there is no room for never leaves', async () => {
      const { echo, host, call } = await start();
      const first = await call(300_000, 'first');
      const { conversationBytes, fileBytes } = await host.data.storage(owner);
      expect(conversationBytes).toBeGreaterThan(300_000);
      expect(fileBytes).toBe(300_000);
      // It may end although its result is more than there is room for.
      await call(340_000);
      await expect(call(40)).rejects.toMatchObject(full);
      expect(echo.calls).toHaveLength(2);
      expect(await call(300_000, 'first')).toEqual(first);
      expect(echo.calls).toHaveLength(2);
      await host.data.calls.removeAll(owner);
      await call(40);
      await expectSums(host.store, [owner]);
    });

    it('made at the same time find no more room than there is', async () => {
      const { echo, host, call } = await start();
      await call(0);
      // What the first ones bring takes room as well: none ends before all of them were let through or refused.
      const goOn = echo.pause();
      const refused: unknown[] = [];
      const note = (reason: unknown) => void (refused.push(reason) === 6 && goOn());
      await Promise.all(Array.from({ length: 8 }, () => call(400_000).catch(note)));
      expect(refused).toHaveLength(6);
      for (const reason of refused) expect(reason).toMatchObject(full);
      expect(echo.calls).toHaveLength(3);
      await expectSums(host.store, [owner]);
    });
  });

  it('leave no room for chats either, nor do prompts of chats', async () => {
    const api = await openApi({ limits });
    const create = () => api.send('POST', '/api/topics', {});
    const { id } = (await (await create()).json()) as { id: string };
    const prompt = (text: string) => api.send('PATCH', `/api/topics/${id}`, { systemPrompt: text });
    const other = await api.json<{ id: string }>('POST', '/api/topics', {});
    await api.host.store.db
      .updateTable('topics')
      .set({ system_prompt: 'x'.repeat(1024 ** 2) })
      .where('id', '=', other.id)
      .execute();
    expect(await errorOf(await create())).toMatchObject(full);
    expect(await errorOf(await prompt('long'))).toMatchObject(full);
    expect((await api.send('DELETE', `/api/topics/${other.id}`)).status).toBe(204);
  });

  it('are refused at every door in the same words', async () => {
    const echo = await startEcho();
    const api = await openApi({ limits });
    const server = { type: 'streamableHttp', name: 'echo', baseUrl: echo.url, autoApprove: ['*'] };
    const { id } = await api.json<ServerView>('POST', '/api/servers', server);
    const path = `/api/servers/${id}/tools/echo/call`;
    expect((await api.send('POST', path, { arguments: words(700_000) })).status).toBe(200);
    const refused = await errorOf(await api.send('POST', path, { arguments: words(400_000) }));
    expect(refused).toMatchObject({ status: 413, ...full });
    const asked = { name: 'a program', scopes: ['chat'], trusted: true };
    const { key } = await api.json<CreatedKeyView>('POST', '/api/keys', asked);
    const modern = '2026-07-28';
    const meta = 'io.modelcontextprotocol';
    const _meta = { [`${meta}/protocolVersion`]: modern, [`${meta}/clientCapabilities`]: {} };
    const params = { name: 'echo', arguments: words(400_000), _meta };
    const answer = await api.raw('POST', '/mcp/echo', {
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': modern,
        'mcp-method': 'tools/call',
        'mcp-name': 'echo',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    expect(await answer.text()).toContain(refused.message);
    expect(echo.calls).toHaveLength(1);
  });
});
