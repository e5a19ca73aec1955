import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import {
  type Conversation,
  isMessageRunning,
  type Message,
  type Topic,
} from '#shared/vocabulary/message.ts';
import { describeEachDatabase } from './databases.ts';
import { startFakeOpenAi, textChunks } from './fakes/fake-openai.ts';
import { type RunningServer, startServer } from './fixtures/cerise-process.ts';
import { ClientState, readFrames } from './fixtures/sse-reader.ts';
import { errorIn, illegalities } from './legal-conversation.ts';

interface Sent {
  userMessageId: string;
  answerId: string;
}

const script = join(import.meta.dirname, 'fakes/hostile-server.mjs');
const toolOf = (message: Message | undefined): ToolBlock | undefined =>
  message?.blocks.find((block) => block.type === 'tool');

/** Follows a topic until the condition holds; the client keeps what it saw for the next process. */
async function follow(
  server: RunningServer,
  topicId: string,
  client: ClientState,
  condition: (conversation: Conversation) => unknown,
): Promise<Conversation> {
  const after = client.lastId === undefined ? '' : `?after=${client.lastId}`;
  const response = await server.send('GET', `/api/topics/${topicId}/events${after}`);
  const how = await readFrames(response, (frame) => {
    client.take(frame);
    return client.conversation !== undefined && Boolean(condition(client.conversation));
  });
  if (how !== 'done' || !client.conversation) throw new Error('the stream ended too early');
  return client.conversation;
}

const ended =
  (answerId: string) =>
  ({ messages }: Conversation) =>
    messages.some((message) => message.id === answerId && !isMessageRunning(message));

async function kill(server: RunningServer): Promise<void> {
  server.child.kill('SIGKILL');
  expect(await server.ended).toBe('SIGKILL');
}

async function createTopic(server: RunningServer): Promise<Topic> {
  return server.json('POST', '/api/topics', { title: 'Topic' });
}

async function send(server: RunningServer, topic: Topic, text: string): Promise<Sent> {
  return server.json('POST', `/api/topics/${topic.id}/messages`, { text });
}

/** What a plain read shows equals what the viewer has, and is legal. */
async function expectSame(server: RunningServer, topic: Topic, client: ClientState) {
  const read = await server.json<Conversation>('GET', `/api/topics/${topic.id}`);
  expect(client.conversation).toEqual(read);
  expect(client.problems).toEqual([]);
  expect(illegalities(read)).toEqual([]);
  return read;
}

/** A server whose tools ask first and write down each call they get. */
async function addCounter(server: RunningServer, journal: string): Promise<void> {
  const config = {
    type: 'stdio',
    name: 'counter',
    command: process.execPath,
    args: [script, JSON.stringify({ journal })],
  };
  const added = await server.json<{ id: string; launchHash: string }>(
    'POST',
    '/api/servers',
    config,
  );
  const { id, launchHash } = added;
  await server.json('POST', `/api/servers/${id}/approve`, { launchHash });
}

async function countCalls(journal: string): Promise<number> {
  if (!existsSync(journal)) return 0;
  return (await readFile(journal, 'utf8')).split('\n').filter((line) => line.includes('tools/call'))
    .length;
}

async function approve(server: RunningServer, { toolCallId, argsHash }: ToolBlock): Promise<void> {
  await server.json('POST', `/api/tool-calls/${toolCallId}/decision`, {
    decision: 'approve',
    argsHash,
  });
}

describe('after kill -9', () => {
  describeEachDatabase((_open, fresh) => {
    async function place() {
      const { home, databaseUrl } = await fresh();
      const env = { CERISE_HOME: home, ...(databaseUrl && { CERISE_DATABASE_URL: databaseUrl }) };
      return { env, journal: `${home}-calls.jsonl` };
    }

    it('in the middle of a model’s stream the round is asked again, and a second cut parks it', async () => {
      const { env } = await place();
      const vendor = await startFakeOpenAi();
      onTestFinished(() => vendor.close());
      const slow = {
        chunks: textChunks(Array.from({ length: 500 }, (_, n) => `word ${n} `)),
        write: 'each' as const,
        delay: 10,
      };
      vendor.respond(slow, { chunks: textChunks(['all ', 'of it']) }, slow);
      const provider = { name: 'vendor', baseUrl: vendor.baseUrl, models: ['fake-model'] };
      let server = await startServer(env);
      await server.json('POST', '/api/providers', provider);
      await server.json('PUT', '/api/settings', { defaultModel: 'vendor/fake-model' });
      const topic = await createTopic(server);
      const client = new ClientState();
      const growing = (length: number) => (seen: Conversation) =>
        (seen.messages.at(-1)?.blocks.at(-1)?.content.length ?? 0) > length;

      const first = await send(server, topic, 'one');
      await follow(server, topic.id, client, growing(50));
      await kill(server);
      server = await startServer(env);
      await follow(server, topic.id, client, ended(first.answerId));
      const read = await expectSame(server, topic, client);
      expect(read.messages.map(({ id }) => id)).toEqual([first.userMessageId, first.answerId]);
      expect(read.messages[1]).toMatchObject({ status: 'success' });
      expect(read.messages[1]?.blocks.map(({ status }) => status)).toEqual([
        'interrupted',
        'success',
      ]);
      expect(read.messages[1]?.blocks[1]?.content).toBe('all of it');

      const second = await send(server, topic, 'two');
      for (let cut = 0; cut < 2; cut += 1) {
        await follow(server, topic.id, client, (seen) => {
          const answer = seen.messages.find(({ id }) => id === second.answerId);
          return answer && answer.blocks.length > cut && growing(50)(seen);
        });
        await kill(server);
        server = await startServer(env);
      }
      await follow(server, topic.id, client, ended(second.answerId));
      const parked = await expectSame(server, topic, client);
      const last = parked.messages.at(-1);
      expect([last?.status, errorIn(last)?.code]).toEqual(['error', 'interrupted']);
    });

    it('every message that was acknowledged is there, and its answer ends', async () => {
      const { env } = await place();
      let server = await startServer({ ...env, CERISE_DEMO_PACE: '30' });
      const topics = await Promise.all(Array.from({ length: 6 }, () => createTopic(server)));
      const sent = await Promise.all(
        topics.map((topic, n) => send(server, topic, `What is ${n}+1?`)),
      );
      await kill(server);
      server = await startServer(env);
      for (const [n, topic] of topics.entries()) {
        const { userMessageId, answerId } = sent[n] as Sent;
        const client = new ClientState();
        await follow(server, topic.id, client, ended(answerId));
        const { messages } = await expectSame(server, topic, client);
        expect(messages.map(({ id }) => id)).toEqual([userMessageId, answerId]);
        expect(messages[0]?.blocks[0]?.content).toBe(`What is ${n}+1?`);
        expect(messages[1]?.status).toBe('success');
      }
    });

    it('a call that waited can still be decided, and runs once', async () => {
      const { env, journal } = await place();
      let server = await startServer(env);
      await addCounter(server, journal);
      const topic = await createTopic(server);
      const client = new ClientState();
      const { answerId } = await send(server, topic, '/call mcp__counter__echo {"n": 1}');
      const isWaiting = ({ messages }: Conversation) => messages.at(-1)?.status === 'waiting';
      await follow(server, topic.id, client, isWaiting);
      await kill(server);
      expect(await countCalls(journal)).toBe(0);
      server = await startServer(env);
      const again = await expectSame(server, topic, client);
      expect(isWaiting(again)).toBe(true);
      const call = toolOf(again.messages.at(-1)) as ToolBlock;
      await expect(approve(server, { ...call, argsHash: 'other' })).rejects.toThrow(
        'arguments_changed',
      );
      await approve(server, call);
      await follow(server, topic.id, client, ended(answerId));
      const { messages } = await expectSame(server, topic, client);
      expect(toolOf(messages.at(-1))).toMatchObject({ state: 'succeeded' });
      expect(messages.at(-1)?.status).toBe('success');
      expect(await countCalls(journal)).toBe(1);
    });

    it('a call that ran is shown as unknown, is never repeated, and the turn ends', async () => {
      const { env, journal } = await place();
      let server = await startServer(env);
      await addCounter(server, journal);
      const topic = await createTopic(server);
      const client = new ClientState();
      const calls =
        '/call mcp__counter__slow {"n": 1}\n/call mcp__demo__slow_task {"seconds": 600}';
      const { answerId } = await send(server, topic, calls);
      const waiting = await follow(server, topic.id, client, ({ messages }) =>
        messages.at(-1)?.blocks.some((block) => block.type === 'tool' && block.approval),
      );
      await approve(server, toolOf(waiting.messages.at(-1)) as ToolBlock);
      await expect.poll(() => countCalls(journal), { interval: 10 }).toBe(1);
      await kill(server);
      server = await startServer(env);
      await follow(server, topic.id, client, ended(answerId));
      const { messages } = await expectSame(server, topic, client);
      const states = messages
        .at(-1)
        ?.blocks.filter((block): block is ToolBlock => block.type === 'tool')
        .map(({ state, status, error }) => [state, status, error?.code]);
      expect(states).toEqual([
        ['outcome_unknown', 'error', 'outcome_unknown'],
        ['outcome_unknown', 'error', 'outcome_unknown'],
      ]);
      expect(messages.at(-1)?.status).toBe('success');
      expect(await countCalls(journal)).toBe(1);
    });
  });
});
