import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  all,
  askForm,
  askModel,
  conversation,
  namesOf,
} from '../../../test/fakes/demo-conversation.ts';

const talk = () => conversation([...all, askForm, askModel]);

describe('what the demo model can show', () => {
  it.each([
    ['Ask me with a form', 'ask_form'],
    ['给我看一张表单', 'ask_form'],
    ['Let a server ask the model', 'ask_model'],
    ['让服务器来问模型', 'ask_model'],
    ['Show me an image', 'show_image'],
    ['给我看一张图片', 'show_image'],
    ['Cite sources about cherries', 'cite'],
    ['引用关于樱桃的来源', 'cite'],
    ['Run a slow task', 'slow_task'],
    ['运行一个耗时的任务', 'slow_task'],
    ['Call a tool that fails', 'fail'],
    ['调用一个会失败的工具', 'fail'],
    ['Show a large result', 'large_result'],
    ['给我看一个很大的结果', 'large_result'],
  ])('%s', async (question, name) => {
    const rounds = await talk().ask(question);
    expect(rounds.map(namesOf)).toEqual([[name], []]);
  });

  it.each(['Show me some code', 'Write a function that counts words', '写一段代码'])(
    'writes code with its language: %s',
    async (question) => {
      const [round] = await talk().ask(question);
      expect(round?.text).toMatch(/```ts\n[^]+\n```/);
    },
  );

  it.each(['Draw a cherry tree', 'Paint me a picture', '画一棵樱桃树'])(
    'draws a picture of its own: %s',
    async (question) => {
      const [round] = await talk().ask(question);
      expect(round?.types).toEqual(['image-created', 'text-start']);
      const png = Buffer.from(round?.images[0] ?? '', 'base64');
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
      const at = png.indexOf('IDAT') + 4;
      const pixels = inflateSync(png.subarray(at, at + png.readUInt32BE(at - 8)));
      expect(pixels).toHaveLength(height * (width + 1));
      expect(new Set(pixels).size).toBe(5);
    },
  );

  it('answers what a server asks it, without tools', async () => {
    const [round] = await conversation([]).ask('Write a short poem about cherries.');
    expect(round?.text).toContain('cherries on a single stem');
  });

  it('offers every trick when it is asked what it can do, in both languages', async () => {
    const english = (await talk().ask('What can you do?'))[0]?.text ?? '';
    for (const example of ['a form', 'some code', 'Draw a', 'a server ask the model', '/tour'])
      expect(english).toContain(example);
    expect((await talk().ask('你能做什么'))[0]?.text).toContain('画一棵樱桃树');
  });

  it('ends the tour at a model or a server to add', async () => {
    const rounds = await talk().ask('/tour');
    expect(rounds.at(-1)?.text).toMatch(/add a model in [^]* or a server in/);
  });

  it('stays in Chinese: its tour, what it gives to tools, and commands without a word of it', async () => {
    const { ask } = talk();
    const rounds = await ask('/tour 导览');
    expect(rounds.at(-1)?.text).toContain('导览小结');
    expect(JSON.stringify(rounds.flatMap(({ calls }) => calls))).toContain('这次失败');
    const [asked] = await ask('给我看一张表单');
    expect(asked?.calls[0]?.arguments).toEqual({ language: 'zh' });
    expect((await ask('/nope'))[0]?.text).toContain('没有 `/nope` 这个命令');
  });
});

describe('a message that is hard to read', () => {
  it('is read quickly as a command, whatever follows', async () => {
    for (const rest of [`{"a":[\n${'{},\n'.repeat(20_000)}`, `${' '.repeat(200_000)}x`]) {
      const before = process.cpuUsage();
      await talk().ask(`/call echo ${rest}`);
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
    }
  });
});
