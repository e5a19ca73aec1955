import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ModelAdapter, ModelCapabilities, ModelMessage } from '#shared/vocabulary/model.ts';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import type { Store } from '#store/database/store.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import { describeEachDatabase } from './databases.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { ask, openHost, owner } from './host.ts';

const model = 'test/scripted';
const seeing: ModelCapabilities = {
  tools: true,
  imagesIn: true,
  audioIn: true,
  filesIn: true,
  imagesOut: false,
  reasoning: false,
};
const png = (size: number) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(size, 7)]);
const longText = Array.from({ length: 30_000 }, (_, n) => `Line ${n} – 樱桃`).join('\n');
const longList = { rows: Array.from({ length: 9000 }, (_, n) => ({ n, name: `Row ${n}` })) };

function returning(name: string, result: ToolResult): NativeTool {
  const inputSchema = { type: 'object' };
  const annotations = { readOnlyHint: true };
  return { name, description: name, inputSchema, annotations, execute: async () => result };
}

function tool(message: Message | undefined, index = 0): ToolBlock {
  const blocks = message?.blocks.filter((block): block is ToolBlock => block.type === 'tool') ?? [];
  const block = blocks[index];
  if (!block) throw new Error('there is no such call');
  return block;
}

function lastResults(scripted: ScriptedModel, request: number): ToolResult[] {
  const message = scripted.requests[request]?.messages.findLast(({ role }) => role === 'tool');
  return message?.role === 'tool' ? message.results.map(({ result }) => result) : [];
}

const isReadMore = ({ name }: { name: string }) => name === 'read_more';
const textOf = (result: ToolResult | undefined) =>
  result?.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';

describeEachDatabase((_open, fresh, dialect) => {
  async function start(
    scripted: ScriptedModel,
    tools: NativeTool[],
    capabilities: ModelCapabilities | undefined = seeing,
  ) {
    const place = await fresh();
    const adapter: ModelAdapter = {
      stream: (request, signal) => scripted.stream(request, signal),
      capabilities,
    };
    const host = await openHost(place, { models: { [model]: adapter }, tools });
    onTestFinished(() => host.close());
    const topic = await host.topics.create(owner, { model });
    return { host, topic, place };
  }

  it('keeps a long text whole, shows its ends, and lets the model read and search the rest', async () => {
    const scripted = new ScriptedModel(calls(['long', {}]), says('It is long.'));
    const { host, topic } = await start(scripted, [
      returning('long', { content: [{ type: 'text', text: longText }] }),
    ]);
    const block = tool(await ask(host, topic.id, 'Give me the long text.'));
    const [part] = block.result?.content ?? [];
    if (part?.type !== 'text' || !part.stored) throw new Error('the text is not stored');
    expect(Buffer.byteLength(part.text)).toBeLessThanOrEqual(usualLimits.resultToModel);
    expect(part.text.startsWith('Line 0 – 樱桃')).toBe(true);
    expect(part.text.endsWith('Line 29999 – 樱桃')).toBe(true);
    expect(part.stored.size).toBe(Buffer.byteLength(longText));
    const blob = await host.blobs.find(owner, part.stored.id);
    expect(blob && (await host.blobs.read(blob)).toString()).toBe(longText);

    const [seen] = lastResults(scripted, 1);
    expect(Buffer.byteLength(textOf(seen))).toBeLessThan(usualLimits.resultToModel + 200);
    const [, id = '', from = ''] =
      /read_more with id "(\S+)" and from (\d+)/.exec(textOf(seen)) ?? [];
    scripted.rounds.push(
      calls(
        ['read_more', { id, from: Number(from), length: 500 }],
        ['read_more', { id, find: 'line 15000 ' }],
        ['read_more', { id: `${id}9` }],
      ),
      says('Read.'),
    );
    const next = await ask(host, topic.id, 'Read on.');
    const offered = scripted.requests.map(({ tools }) => tools.some(isReadMore));
    expect(offered).toEqual([false, true, true, true]);
    const [read, found, missing] = [tool(next), tool(next, 1), tool(next, 2)];
    const start_ = Number(from);
    expect(textOf(read.result)).toBe(
      `[Characters ${start_}–${start_ + 500} of ${longText.length}]\n${longText.slice(start_, start_ + 500)}`,
    );
    expect(textOf(found.result)).toContain(`[At ${longText.indexOf('Line 15000 ')}]`);
    expect(missing).toMatchObject({ state: 'failed', error: { code: 'file_not_found' } });
  });

  it('gives nothing of another topic to a model that asks for it', async () => {
    const scripted = new ScriptedModel(calls(['long', {}]), says('Done.'));
    const { host, topic } = await start(scripted, [
      returning('long', { content: [{ type: 'text', text: longText }] }),
    ]);
    const { toolCallId, result } = tool(await ask(host, topic.id, 'Go.'));
    const [part] = result?.content ?? [];
    const stored = part?.type === 'text' ? part.stored?.id : undefined;
    const other = await host.topics.create(owner, { model });
    scripted.rounds.push(
      calls(['read_more', { id: `${toolCallId}.0` }], ['read_more', { id: stored ?? '' }]),
      says('Nothing.'),
    );
    const answer = await ask(host, other.id, 'Read the other topic.');
    expect([tool(answer), tool(answer, 1)].map(({ error }) => error?.code)).toEqual([
      'file_not_found',
      'file_not_found',
    ]);
  });

  it('keeps media once, by their content, and gives them to a model that takes them, now and later', async () => {
    const image = png(200_000);
    const data = image.toString('base64');
    const parts: ContentPart[] = [
      { type: 'text', text: 'Two pictures:' },
      { type: 'image', data, mimeType: 'image/jpeg' },
      { type: 'resource', resource: { uri: 'demo://a', mimeType: 'image/png', blob: data } },
    ];
    const scripted = new ScriptedModel(calls(['show', {}]), says('Nice.'), says('Still nice.'));
    const { host, topic, place } = await start(scripted, [returning('show', { content: parts })]);
    const block = tool(await ask(host, topic.id, 'Show me.'));
    expect(JSON.stringify(block).length).toBeLessThan(2000);
    expect(block.result?.content).toMatchObject([
      { type: 'text' },
      { type: 'image', mimeType: 'image/png', data: '', stored: { size: image.length } },
      { type: 'resource', resource: { uri: 'demo://a', blob: '' }, stored: { size: image.length } },
    ]);
    await ask(host, topic.id, 'And now?');
    for (const request of [1, 2])
      expect(lastResults(scripted, request)[0]?.content).toMatchObject([
        { text: 'Two pictures:' },
        { type: 'image', data, mimeType: 'image/png' },
        { type: 'resource', resource: { blob: data } },
      ]);
    expect(await contents(host.store, place.home, dialect)).toEqual([sha256(image)]);
    const whole = await host.approvals.get(owner, block.toolCallId);
    expect(whole.result).toEqual({
      content: [parts[0], { ...parts[1], mimeType: 'image/png' }, parts[2]],
    });
    await host.topics.delete(owner, topic.id);
    await expect.poll(() => contents(host.store, place.home, dialect)).toEqual([]);
  });

  it('describes media to a model that takes none', async () => {
    const scripted = new ScriptedModel(calls(['show', {}]), says('I see words.'));
    const data = png(50_000).toString('base64');
    const { host, topic } = await start(
      scripted,
      [returning('show', { content: [{ type: 'image', data, mimeType: 'image/png' }] })],
      { ...seeing, imagesIn: false },
    );
    await ask(host, topic.id, 'Show me.');
    expect(lastResults(scripted, 1)).toEqual([
      { content: [{ type: 'text', text: '[Image: image/png]' }] },
    ]);
  });

  it('keeps long structured content whole and gives it back whole where it is asked for', async () => {
    const scripted = new ScriptedModel(calls(['list', {}], ['both', {}]), says('Many.'));
    const said: ContentPart = { type: 'text', text: 'Nine thousand rows.' };
    const { host, topic } = await start(scripted, [
      returning('list', { content: [], structuredContent: longList }),
      returning('both', { content: [said], structuredContent: longList }),
    ]);
    const answer = await ask(host, topic.id, 'List.');
    const [list, both] = [tool(answer), tool(answer, 1)];
    expect(list.result?.structuredContent).toBeUndefined();
    expect(list.result?.structuredStored?.size).toBe(JSON.stringify(longList).length);
    expect(both.result).toMatchObject({ content: [said], structuredStored: {} });
    for (const { toolCallId, modelToolName } of [list, both])
      expect((await host.approvals.get(owner, toolCallId)).result).toEqual({
        content: modelToolName === 'both' ? [said] : [],
        structuredContent: longList,
      });
    const [first, second] = lastResults(scripted, 1);
    expect(textOf(first)).toContain('"name":"Row 0"');
    expect(textOf(first)).toContain('read_more');
    expect(textOf(second)).toBe('Nine thousand rows.');
  });

  it('makes one text of thousands of small ones', async () => {
    const parts = Array.from({ length: 5000 }, (_, n): ContentPart => ({
      type: 'text',
      text: `Piece ${n} of many that are long together`,
    }));
    const scripted = new ScriptedModel(calls(['pieces', {}]), says('Many.'));
    const { host, topic, place } = await start(scripted, [returning('pieces', { content: parts })]);
    const block = tool(await ask(host, topic.id, 'Pieces.'));
    expect(block.result?.content).toHaveLength(1);
    expect(await contents(host.store, place.home, dialect)).toHaveLength(1);
    const { result } = (await host.approvals.get(owner, block.toolCallId)) as {
      result: ToolResult;
    };
    expect(textOf(result)).toBe(parts.map((part) => textOf({ content: [part] })).join('\n'));
  });

  it('keeps small results as they are', async () => {
    const result: ToolResult = {
      content: [
        { type: 'text', text: 'small' },
        { type: 'image', data: png(100).toString('base64'), mimeType: 'image/png' },
      ],
      structuredContent: { a: 1 },
    };
    const scripted = new ScriptedModel(calls(['small', {}]), says('Small.'));
    const { host, topic, place } = await start(scripted, [returning('small', result)]);
    expect(tool(await ask(host, topic.id, 'Small.')).result).toEqual(result);
    expect(await contents(host.store, place.home, dialect)).toEqual([]);
  });

  it('gives attached files to the model: pictures to look at, texts to read', async () => {
    const scripted = new ScriptedModel(says('I see.'), says('Again.'));
    const { host, topic } = await start(scripted, []);
    const image = await host.blobs.keep(png(5000), {
      owner,
      mimeType: 'image/png',
      name: 'a.png',
    });
    const note = await host.blobs.keep(Buffer.from(longText), {
      owner,
      mimeType: 'text/markdown',
      name: 'notes.md',
    });
    const archive = await host.blobs.keep(Buffer.from('PK…'), {
      owner,
      mimeType: 'application/zip',
      name: 'all.zip',
    });
    const files = [image.id, note.id, archive.id];
    const answer = await ask(host, topic.id, { text: '', files });
    expect(answer.status).toBe('success');
    const { messages } = await host.topics.snapshot(owner, topic.id);
    expect(messages[0]?.blocks).toMatchObject([
      { type: 'image', name: 'a.png', mimeType: 'image/png', status: 'success' },
      { type: 'file', name: 'notes.md', stored: { size: Buffer.byteLength(longText) } },
      { type: 'file', name: 'all.zip' },
    ]);
    await ask(host, topic.id, 'And?');
    for (const request of scripted.requests.filter(({ purpose }) => purpose === 'answer')) {
      const [picture, text, zip] = userParts(request.messages[0]);
      expect(picture).toEqual({
        type: 'file',
        mimeType: 'image/png',
        data: png(5000).toString('base64'),
        name: 'a.png',
      });
      expect(text?.type === 'text' && text.text.startsWith('[File: notes.md]\nLine 0')).toBe(true);
      expect(text?.type === 'text' && text.text).toContain('read_more with id');
      expect(zip).toEqual({ type: 'text', text: '[File: all.zip, application/zip]' });
    }
  });

  it('refuses files that are not there, and a message without text and files', async () => {
    const { host, topic } = await start(new ScriptedModel(says('x')), []);
    const send = (input: { text: string; files?: string[] }) =>
      host.messages.send(owner, topic.id, input);
    await expect(send({ text: 'x', files: ['nothing'] })).rejects.toMatchObject({
      code: 'file_not_found',
    });
    await expect(send({ text: '  ', files: [] })).rejects.toMatchObject({ code: 'message_empty' });
    expect((await host.topics.snapshot(owner, topic.id)).messages).toEqual([]);
  });

  it('stores large pictures that a model makes', async () => {
    const data = png(100_000).toString('base64');
    const scripted = new ScriptedModel(
      [
        { type: 'image-created', id: 'i' },
        { type: 'image-complete', id: 'i', mimeType: 'image/png', data },
        { type: 'response-complete', finishReason: 'stop' },
      ],
      says('Seen.'),
    );
    const { host, topic } = await start(scripted, []);
    const answer = await ask(host, topic.id, 'Draw.');
    expect(answer.blocks).toMatchObject([
      { type: 'image', status: 'success', mimeType: 'image/png', stored: { size: 100_008 } },
    ]);
    expect(JSON.stringify(answer).length).toBeLessThan(2000);
    await ask(host, topic.id, 'What did you draw?');
    const sent = scripted.requests.findLast(({ purpose }) => purpose === 'answer');
    expect(userParts(sent?.messages.at(-1))).toContainEqual({
      type: 'file',
      mimeType: 'image/png',
      data,
    });
  });
});

function userParts(message: ModelMessage | undefined) {
  return message && message.role !== 'tool' ? message.parts : [];
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The hashes whose bytes are really there. */
async function contents(store: Store, home: string, dialect: Store['dialect']): Promise<string[]> {
  const rows = await store.db.selectFrom('blobs').select('hash').execute();
  if (dialect === 'postgres') return rows.map(({ hash }) => hash);
  const files = await readdir(join(home, 'blobs'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return files.filter((file) => file.isFile()).map(({ name }) => name);
}
