import { inflateSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, connectClient } from '../../../../test/fakes/builtin-client.ts';
import { createDemoServer } from './demo.ts';

let client: Client;
beforeEach(async () => {
  client = await connectClient(createDemoServer());
});
afterEach(() => client.close());

async function connect(asking: Client): Promise<void> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createDemoServer().connect(far);
  await asking.connect(near);
}

async function media(tool: string): Promise<{ bytes: Buffer; mimeType: string }> {
  const { content } = await client.callTool({ name: tool, arguments: {} });
  const part = content.find(({ type }) => type === 'image' || type === 'audio');
  if (part?.type !== 'image' && part?.type !== 'audio') throw new Error('no media');
  return { bytes: Buffer.from(part.data, 'base64'), mimeType: part.mimeType };
}

describe('the demo server', () => {
  it('shows a real PNG, the same each time', async () => {
    const { bytes, mimeType } = await media('show_image');
    expect(mimeType).toBe('image/png');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    const length = bytes.readUInt32BE(33);
    const rows = inflateSync(bytes.subarray(41, 41 + length));
    expect(rows.length).toBe(height * (1 + width * 3));
    expect((await media('show_image')).bytes.equals(bytes)).toBe(true);
  });

  it('plays a real WAV', async () => {
    const { bytes, mimeType } = await media('play_sound');
    expect(mimeType).toBe('audio/wav');
    expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12)).toBe('RIFFWAVE');
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
  });

  it('gives records, and links a resource that can be read', async () => {
    const { structuredContent } = await client.callTool({
      name: 'show_table',
      arguments: { rows: 3 },
    });
    expect(structuredContent).toMatchObject({ harvest: [{ tree: 1 }, { tree: 2 }, { tree: 3 }] });
    const { content } = await client.callTool({ name: 'link_recipe', arguments: {} });
    const link = content.find(({ type }) => type === 'resource_link');
    if (link?.type !== 'resource_link') throw new Error('no link');
    const { contents } = await client.readResource({ uri: link.uri });
    expect(contents).toMatchObject([{ mimeType: 'text/markdown' }]);
  });

  it('reports the progress of a slow task', async () => {
    const seen: unknown[] = [];
    const result = await client.callTool(
      { name: 'slow_task', arguments: { seconds: 0.02, steps: 4 } },
      { onprogress: (progress) => seen.push(progress) },
    );
    expect(seen).toEqual(
      [1, 2, 3, 4].map((progress) => ({ progress, total: 4, message: `Step ${progress} of 4` })),
    );
    expect(result.structuredContent).toEqual({ steps: 4, seconds: 0.02 });
  });

  it('stops a slow task when it is cancelled', async () => {
    const stop = new AbortController();
    let steps = 0;
    const call = client.callTool(
      { name: 'slow_task', arguments: { seconds: 5, steps: 1000 } },
      {
        signal: stop.signal,
        onprogress: () => {
          steps += 1;
          stop.abort();
        },
      },
    );
    await expect(call).rejects.toThrow();
    const atStop = steps;
    await callTool(client, 'slow_task', { seconds: 0.05, steps: 1 });
    expect(steps).toBe(atStop);
  });

  it('returns as much text as asked', async () => {
    const { text } = await callTool(client, 'large_result', { kilobytes: 300 });
    expect(text.length).toBe(300 * 1024);
    expect(text).toMatch(/^Line 1 of 4800: /);
    expect((await callTool(client, 'large_result', { kilobytes: 1e9 })).isError).toBe(true);
  });

  it('fails with the sentence it is given, as a result', async () => {
    const failed = await callTool(client, 'fail', { message: 'No cherries left.' });
    expect(failed).toMatchObject({ isError: true, text: 'No cherries left.' });
    expect((await callTool(client, 'fail')).isError).toBe(true);
  });

  it('cites sources as links and as structured results', async () => {
    const { types, structured } = await callTool(client, 'cite', { topic: 'a/b? 樱桃' });
    expect(types).toEqual(['text', 'resource_link', 'resource_link', 'resource_link']);
    const { results } = structured as { results: { url: string }[] };
    for (const { url } of results) {
      expect(new URL(url).hostname).toMatch(/^example\.(com|org)$/);
      expect(url).toContain('a%2Fb%3F%20%E6%A8%B1%E6%A1%83');
    }
  });

  it.each([
    ['en', { action: 'accept' as const, content: { name: 'Ann' } }, 'filled in. name: Ann.'],
    ['en', { action: 'decline' as const }, 'wasn’t filled in'],
    ['zh', { action: 'decline' as const }, '没有填写'],
  ])(
    'asks with a form in %s, and tells what became of it: %o',
    async (language, answer, expected) => {
      const asking = new Client(
        { name: 'test', version: '1' },
        { capabilities: { elicitation: {} } },
      );
      asking.setRequestHandler('elicitation/create', ({ params }) => {
        expect(params.message).toMatch(language === 'zh' ? /樱桃蛋糕/ : /cherry cake/);
        return answer;
      });
      await connect(asking);
      expect((await callTool(asking, 'ask_form', { language })).text).toContain(expected);
      await asking.close();
    },
  );

  it('has a model asked, and tells its answer', async () => {
    const asking = new Client({ name: 'test', version: '1' }, { capabilities: { sampling: {} } });
    const content = { type: 'text' as const, text: 'Sour ones.' };
    asking.setRequestHandler('sampling/createMessage', ({ params }) => {
      expect(params.messages).toMatchObject([{ content: { text: 'Which cherries?' } }]);
      return { role: 'assistant' as const, model: 'm', content };
    });
    await connect(asking);
    const { text } = await callTool(asking, 'ask_model', { question: 'Which cherries?' });
    expect(text).toBe('m answered: Sour ones.');
    await asking.close();
  });

  it('echoes', async () => {
    const { text, structured } = await callTool(client, 'echo', { message: '🍒' });
    expect([text, structured]).toEqual(['🍒', { message: '🍒' }]);
  });
});
