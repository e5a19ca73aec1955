import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '#shared/vocabulary/message.ts';
import { beginIdempotent } from '#store/conversations/idempotency.ts';
import { describeEachDatabase } from './databases.ts';
import { type RunningServer, startServer } from './fixtures/cerise-process.ts';
import { processToken } from './fixtures/running-command.ts';

const post = (server: RunningServer, path: string, key: string, body: unknown) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${processToken}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  });

const text = 'Hello';
const counter = join(import.meta.dirname, 'fakes/hostile-server.mjs');

const callsIn = (journal: string): number =>
  existsSync(journal) ? readFileSync(journal, 'utf8').split('tools/call').length - 1 : 0;

describe('a request with an Idempotency-Key whose host was killed', () => {
  describeEachDatabase((open, fresh) => {
    async function start() {
      const place = await fresh();
      const { home, databaseUrl } = place;
      const env = { CERISE_HOME: home, ...(databaseUrl && { CERISE_DATABASE_URL: databaseUrl }) };
      const ready = await startServer(env);
      const { id } = await ready.json<{ id: string }>('POST', '/api/topics', { title: 'T' });
      return { place, env, ready, id, path: `/api/topics/${id}/messages` };
    }

    async function expectOnce(server: RunningServer, topicId: string, path: string) {
      const answers = await Promise.all([1, 2, 3].map(() => post(server, path, 'a', { text })));
      const sent = await Promise.all(answers.map((answer) => answer.text()));
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
      expect(new Set(sent).size).toBe(1);
      const { messages } = await server.json<Conversation>('GET', `/api/topics/${topicId}`);
      expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1);
      expect(messages[1]?.id).toBe((JSON.parse(sent[0] ?? '') as { answerId: string }).answerId);
    }

    it('before anything was committed is done anew', async () => {
      const { place, env, ready, id, path } = await start();
      ready.child.kill('SIGKILL');
      expect(await ready.ended).toBe('SIGKILL');
      const store = await open(place);
      const [dead] = await store.db.selectFrom('instances').select('id').execute();
      const body = JSON.stringify([path, JSON.stringify({ text })]);
      const requestHash = createHash('sha256').update(body).digest('hex');
      const claim = { owner: 'local', key: 'a', requestHash, instance: dead?.id ?? 'dead' };
      expect(await beginIdempotent(store.db, claim)).toBe('new');
      await store.close();
      await expectOnce(await startServer(env), id, path);
    });

    it('after all was committed gets the answer that nobody heard', async () => {
      const { env, ready, id, path } = await start();
      ready.child.kill('SIGTERM');
      expect(await ready.ended).toBe(0);
      const fault = { CERISE_ALLOW_FAULTS: '1', CERISE_FAULT: 'message-accepted:1:kill' };
      const first = await startServer({ ...env, ...fault });
      await expect(post(first, path, 'a', { text })).rejects.toThrow();
      expect(await first.ended).toBe('SIGKILL');
      await expectOnce(await startServer(env), id, path);
    });

    it('while it called a tool does not call it again, and says that nobody knows', async () => {
      const { env, ready, place } = await start();
      const journal = `${place.home}-calls.jsonl`;
      const { id, launchHash } = await ready.json<{ id: string; launchHash: string }>(
        'POST',
        '/api/servers',
        {
          name: 'counter',
          command: process.execPath,
          args: [counter, JSON.stringify({ journal })],
          autoApprove: ['*'],
        },
      );
      await ready.json('POST', `/api/servers/${id}/approve`, { launchHash });
      const call = (server: RunningServer, tool: string) =>
        post(server, `/api/servers/${id}/tools/${tool}/call`, tool, { arguments: {} });
      const done = await (await call(ready, 'echo')).text();
      const cut = expect(call(ready, 'slow')).rejects.toThrow();
      await expect.poll(() => callsIn(journal), { interval: 10 }).toBe(2);
      ready.child.kill('SIGKILL');
      await cut;
      expect(await ready.ended).toBe('SIGKILL');
      const second = await startServer(env);
      const repeated = await call(second, 'slow');
      expect(await repeated.json()).toMatchObject({ error: { code: 'outcome_unknown' } });
      expect(await (await call(second, 'echo')).text()).toBe(done);
      expect(callsIn(journal)).toBe(2);
    });
  });
});
