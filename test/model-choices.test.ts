import { expect, it, onTestFinished } from 'vitest';
import type { TranslationBlock } from '#shared/vocabulary/block.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import { isMessageOpen, type Message } from '#shared/vocabulary/message.ts';
import type { ModelAdapter, ModelCapabilities, ModelRequest } from '#shared/vocabulary/model.ts';
import { describeEachDatabase } from './databases.ts';
import { says } from './fakes/scripted-model.ts';
import { ask, openHost, owner, until, watch } from './host.ts';

/** A model that keeps what it was asked for. */
class Recorder implements ModelAdapter {
  readonly requests: ModelRequest[] = [];
  readonly capabilities?: ModelCapabilities;

  constructor(reasoning = false) {
    const none = { tools: true, imagesIn: false, audioIn: false, filesIn: false, imagesOut: false };
    this.capabilities = { ...none, reasoning };
  }

  async *stream(request: ModelRequest): AsyncGenerator<Chunk[]> {
    this.requests.push(request);
    yield says(`Words for: ${request.purpose}`);
  }

  get purposes(): string[] {
    return this.requests.map(({ purpose }) => purpose);
  }
}

const translation = ({ blocks }: Message) =>
  blocks.find((block): block is TranslationBlock => block.type === 'translation');
const ended = (message: Message) => !isMessageOpen(message) && translation(message) !== undefined;

describeEachDatabase((_open, fresh) => {
  async function start() {
    const large = new Recorder(true);
    const small = new Recorder();
    const models = { 'test/large': large, 'test/small': small };
    const place = await fresh();
    const host = await openHost(place, { models });
    onTestFinished(() => host.close());
    return { host, large, small, place };
  }

  it('names and translates with the models chosen for that, and answers with its own', async () => {
    const { host, large, small } = await start();
    const chosen = { titleModel: 'test/small', translationModel: 'test/small' };
    await host.settings.set(owner, { fetchAllow: [], ...chosen });
    const topic = await host.topics.create(owner, { model: 'test/large' });
    const named = Promise.withResolvers<void>();
    const viewer = await watch(host, topic.id, ({ topic: { title } }) => {
      if (title.startsWith('Words for: title')) named.resolve();
    });
    onTestFinished(() => viewer.close());
    const answer = await ask(host, topic.id, 'Of what colour are cherries?');
    await named.promise;
    await host.messages.translate(owner, answer.id, { language: 'de' });
    const translated = await until(host, topic.id, answer.id, ended);
    expect(translation(translated)?.model).toBe('test/small');
    expect(large.purposes).toEqual(['answer']);
    expect(small.purposes).toEqual(['title', 'translate']);
  });

  it('goes back to the model of the conversation where the chosen one is gone', async () => {
    const { host, large, place } = await start();
    const chosen = { titleModel: 'test/small', translationModel: 'test/small' };
    await host.settings.set(owner, { fetchAllow: [], ...chosen });
    await host.close();
    const later = await openHost(place, { models: { 'test/large': large } });
    onTestFinished(() => later.close());
    const topic = await later.topics.create(owner, { model: 'test/large', title: 'T' });
    const answer = await ask(later, topic.id, 'Hello');
    await later.messages.translate(owner, answer.id, { language: 'de' });
    const translated = await until(later, topic.id, answer.id, ended);
    expect(translation(translated)?.model).toBe('test/large');
  });

  it('lets models think as much as is usual, unless the conversation says, also that they are free; others hear nothing', async () => {
    const { host, large, small } = await start();
    await host.settings.set(owner, { fetchAllow: [], reasoningEffort: 'high' });
    const topic = await host.topics.create(owner, { title: 'T' });
    await ask(host, topic.id, { text: 'One', model: 'test/large' });
    await ask(host, topic.id, { text: 'Two', model: 'test/small' });
    await host.topics.update(owner, topic.id, { parameters: { reasoningEffort: 'low' } });
    await ask(host, topic.id, { text: 'Three', model: 'test/large' });
    const efforts = ({ requests }: Recorder) =>
      requests.map(({ parameters }) => parameters.reasoningEffort);
    await host.topics.update(owner, topic.id, { parameters: { reasoningEffort: 'auto' } });
    await ask(host, topic.id, { text: 'Four', model: 'test/large' });
    expect(efforts(large)).toEqual(['high', 'low', undefined]);
    expect(efforts(small)).toEqual([undefined]);
  });
});
