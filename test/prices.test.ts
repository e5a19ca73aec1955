import { describe, expect, it, onTestFinished } from 'vitest';
import { isMessageOpen } from '#shared/vocabulary/message.ts';
import { describeEachDatabase } from './databases.ts';
import { startFakeOpenAi, textChunks } from './fakes/fake-openai.ts';
import { ask, openHost, owner, until } from './host.ts';

/** What the fake model says of every answer: 7 tokens in, 5 out. */
const tokens = { inputTokens: 7, outputTokens: 5 };
const price = { input: 1_000_000, output: 100_000 };

describe('prices of models', () => {
  describeEachDatabase((_open, fresh) => {
    async function start() {
      const fake = await startFakeOpenAi();
      onTestFinished(() => fake.close());
      const place = await fresh();
      const host = await openHost(place);
      onTestFinished(() => host.close());
      const provider = await host.providers.create(owner, {
        name: 'vendor',
        baseUrl: fake.baseUrl,
        models: [],
      });
      const topic = await host.topics.create(owner, { model: 'vendor/fake-model', title: 'T' });
      const setPrice = (next: typeof price | null) =>
        host.providers.update(owner, provider.id, { prices: { 'fake-model': next } });
      return { fake, place, host, topic, setPrice };
    }

    it('give each answer the cost of its day, which later prices do not change', async () => {
      const { place, host, topic, setPrice } = await start();
      const before = await ask(host, topic.id, 'One');
      expect(before.usage).toMatchObject(tokens);
      expect(before.usage).not.toHaveProperty('cost');

      await setPrice(price);
      const first = await ask(host, topic.id, 'Two');
      expect(first.usage).toMatchObject({ ...tokens, cost: 7.5, costEstimated: true });

      await setPrice({ input: 0, output: 200_000 });
      const second = await ask(host, topic.id, 'Three');
      expect(second.usage).toMatchObject({ cost: 1, costEstimated: true });

      await setPrice(null);
      const last = await ask(host, topic.id, 'Four');
      expect(last.usage).not.toHaveProperty('cost');

      await host.close();
      const again = await openHost(place);
      onTestFinished(() => again.close());
      const { messages } = await again.topics.snapshot(owner, topic.id);
      const costs = messages.filter(({ role }) => role === 'assistant').map((m) => m.usage?.cost);
      expect(costs).toEqual([undefined, 7.5, 1, undefined]);
      const { models, days } = await again.usage(owner, { days: 1, offset: 0 });
      expect(models).toMatchObject([{ answers: 4, cost: 8.5, estimatedCost: 8.5 }]);
      expect(days).toMatchObject([{ cost: 8.5, estimatedCost: 8.5 }]);
    });

    it('leave what the vendor says of the cost as it is', async () => {
      const { fake, host, topic, setPrice } = await start();
      await setPrice(price);
      const chunks = textChunks(['Yes']).map((chunk) =>
        typeof chunk === 'object' && chunk !== null && 'usage' in chunk && chunk.usage
          ? { ...chunk, usage: { ...chunk.usage, cost: 0.25, cost_details: {} } }
          : chunk,
      );
      fake.respond({ chunks });
      const { usage } = await ask(host, topic.id, 'One');
      expect(usage).toMatchObject({ ...tokens, cost: 0.25 });
      expect(usage).not.toHaveProperty('costEstimated');
      const { models } = await host.usage(owner, { days: 1, offset: 0 });
      expect(models).toMatchObject([{ cost: 0.25, estimatedCost: 0 }]);
    });

    it('count for translations too', async () => {
      const { host, topic, setPrice } = await start();
      await setPrice(price);
      const answer = await ask(host, topic.id, 'One');
      await host.messages.translate(owner, answer.id, { language: 'de' });
      const done = await until(
        host,
        topic.id,
        answer.id,
        (message) => !isMessageOpen(message) && message.blocks.length > answer.blocks.length,
      );
      expect(done.blocks.at(-1)).toMatchObject({
        type: 'translation',
        usage: { cost: 7.5, costEstimated: true },
      });
    });
  });
});
