import { expect, it, onTestFinished } from 'vitest';
import { untilAborted } from '#shared/async/until-aborted.ts';
import type { TranslationBlock } from '#shared/vocabulary/block.ts';
import { isMessageOpen, type Message } from '#shared/vocabulary/message.ts';
import type { ModelRequest } from '#shared/vocabulary/model.ts';
import { describeEachDatabase } from './databases.ts';
import { says, ScriptedModel, type Round } from './fakes/scripted-model.ts';
import { ask, finished, openHost, owner, until, watch } from './host.ts';
import { illegalities } from './legal-conversation.ts';

const model = 'test/scripted';
const sent = (request: ModelRequest | undefined) => JSON.stringify(request ?? null);
const translations = (message: Message) =>
  message.blocks.filter((block): block is TranslationBlock => block.type === 'translation');
const ended = (message: Message) => !isMessageOpen(message) && translations(message).length > 0;

/** Says some words and then nothing more, until it is aborted. */
const hangs = (text: string): Round =>
  async function* (_request, signal) {
    yield [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', text },
    ];
    yield* untilAborted(
      (async function* () {
        await new Promise(() => undefined);
        yield [];
      })(),
      signal,
    );
  };

describeEachDatabase((_open, fresh) => {
  async function start(...rounds: Round[]) {
    const scripted = new ScriptedModel(...rounds);
    const place = await fresh();
    const options = { models: { [model]: scripted } };
    const host = await openHost(place, options);
    onTestFinished(() => host.close());
    const topic = await host.topics.create(owner, { model, title: 'T' });
    return { host, topic, place, options, scripted };
  }

  it('adds a block to a message that had ended, which no model sees', async () => {
    const { host, topic, place, options, scripted } = await start(
      says('Cherries are red.'),
      says('樱桃是红的。'),
      says('Yes.'),
    );
    const answer = await ask(host, topic.id, 'Of what colour are cherries?');
    await host.messages.translate(owner, answer.id, { language: 'zh-Hans' });
    const translated = await until(host, topic.id, answer.id, ended);
    const [block] = translations(translated);
    expect(block).toMatchObject({
      status: 'success',
      language: 'zh-Hans',
      model,
      content: '樱桃是红的。',
      usage: { inputTokens: 5, outputTokens: 7 },
    });
    const { blocks, ...before } = answer;
    expect(translated).toMatchObject(before);
    expect(translated.blocks.slice(0, -1)).toEqual(blocks);
    expect(scripted.requests[1]).toMatchObject({ purpose: 'translate', tools: [] });
    expect(sent(scripted.requests[1])).toContain('Cherries are red.');
    expect(scripted.requests[1]?.system).toContain('Simplified Chinese');
    await ask(host, topic.id, 'Are you sure?');
    expect(sent(scripted.requests[2])).toContain('Cherries are red.');
    expect(sent(scripted.requests[2])).not.toContain('樱桃');
    await host.close();
    const again = await openHost(place, options);
    onTestFinished(() => again.close());
    const conversation = await again.topics.snapshot(owner, topic.id);
    expect(conversation.messages.find(({ id }) => id === answer.id)).toEqual(translated);
    expect(illegalities(conversation)).toEqual([]);
  });

  it('runs beside an answer, can be stopped, and keeps what was written', async () => {
    const { host, topic } = await start(says('One.'), hangs('answer'), hangs('translated'));
    const first = await ask(host, topic.id, 'first');
    const question = { text: 'second' };
    const { answerId } = await host.messages.send(owner, topic.id, question);
    await until(host, topic.id, answerId, ({ blocks }) => blocks[0]?.content === 'answer');
    await host.messages.translate(owner, first.id, { language: 'de' });
    const going = await until(
      host,
      topic.id,
      first.id,
      (message) => translations(message)[0]?.content === 'translated',
    );
    expect(going).toMatchObject({ status: 'success', translating: true });
    await expect(
      host.messages.translate(owner, first.id, { language: 'fr' }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await expect(
      host.messages.translate(owner, answerId, { language: 'fr' }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await host.messages.stop(owner, first.id);
    const stopped = await until(host, topic.id, first.id, ended);
    expect(translations(stopped)[0]).toMatchObject({ status: 'paused', content: 'translated' });
    expect(stopped.status).toBe('success');
    const { messages } = await host.topics.snapshot(owner, topic.id);
    expect(messages.at(-1)).toMatchObject({ id: answerId, status: 'processing' });
    await host.messages.stop(owner, answerId);
    await finished(host, topic.id, answerId);
  });

  it('is made again after a restart, and viewers see the same as the rows', async () => {
    const { host, topic, place, options, scripted } = await start(
      says('One.'),
      hangs('half'),
      says('Eins.'),
    );
    const answer = await ask(host, topic.id, 'first');
    await host.messages.translate(owner, answer.id, { language: 'de' });
    const halfway = (message: Message) => translations(message)[0]?.content === 'half';
    await until(host, topic.id, answer.id, halfway);
    await host.close();
    const again = await openHost(place, options);
    onTestFinished(() => again.close());
    const translated = await until(again, topic.id, answer.id, ended);
    expect(translations(translated).map(({ status, content }) => [status, content])).toEqual([
      ['interrupted', 'half'],
      ['success', 'Eins.'],
    ]);
    expect(scripted.requests).toHaveLength(3);
    const viewer = await watch(again, topic.id);
    viewer.close();
    expect(viewer.conversation().messages.find(({ id }) => id === answer.id)).toEqual(translated);
    expect(viewer.conversation().topic.isLoading).toBe(false);
  });

  it('gives up after two cuts', async () => {
    const { host, topic, place, options } = await start(says('One.'), hangs('a'), hangs('b'));
    const answer = await ask(host, topic.id, 'first');
    await host.messages.translate(owner, answer.id, { language: 'de' });
    const content = (words: string) => (message: Message) =>
      translations(message).at(-1)?.content === words;
    await until(host, topic.id, answer.id, content('a'));
    await host.close();
    const second = await openHost(place, options);
    await until(second, topic.id, answer.id, content('b'));
    await second.close();
    const third = await openHost(place, options);
    onTestFinished(() => third.close());
    const end = await until(third, topic.id, answer.id, ended);
    expect(translations(end).at(-1)).toMatchObject({
      status: 'error',
      error: { code: 'interrupted' },
    });
  });

  it('says in its block why it failed, and can be asked for again', async () => {
    const { host, topic } = await start(
      says('One.'),
      [{ type: 'error', error: { code: 'model_rate_limited', message: 'Slowly.' } }],
      says('Eins.'),
    );
    const answer = await ask(host, topic.id, 'first');
    await host.messages.translate(owner, answer.id, { language: 'de' });
    const failed = await until(host, topic.id, answer.id, ended);
    expect(translations(failed)).toMatchObject([
      { status: 'error', error: { code: 'model_rate_limited' } },
    ]);
    await host.messages.translate(owner, answer.id, { language: 'de' });
    const both = await until(
      host,
      topic.id,
      answer.id,
      (m) => translations(m).length === 2 && ended(m),
    );
    expect(translations(both).at(-1)).toMatchObject({ status: 'success', content: 'Eins.' });
  });

  it('takes a question, too, and what is regenerated meanwhile is an answer', async () => {
    const { host, topic } = await start(says('One.'), hangs('Frage'), says('Two.'));
    const answer = await ask(host, topic.id, 'a question');
    const questionId = answer.parentId ?? '';
    await host.messages.translate(owner, answer.id, { language: 'de' });
    const written = (message: Message) => translations(message)[0]?.content === 'Frage';
    await until(host, topic.id, answer.id, written);
    const { answerId } = await host.messages.regenerate(owner, answer.id, undefined);
    const other = await finished(host, topic.id, answerId);
    expect(other.blocks).toMatchObject([{ type: 'main_text', content: 'Two.' }]);
    await host.messages.stop(owner, answer.id);
    await until(host, topic.id, answer.id, ended);
    await host.messages.translate(owner, questionId, { language: 'de' });
    const question = await until(host, topic.id, questionId, ended);
    expect(question).toMatchObject({ role: 'user', status: 'success' });
    expect(translations(question)[0]?.content).toBe('Nothing more to say.');
  });

  it('refuses what has no words, and what is not there', async () => {
    const { host, topic } = await start([
      { type: 'response-complete', finishReason: 'stop', usage: {} },
    ]);
    const answer = await ask(host, topic.id, 'first');
    const translate = (id: string, by = model) =>
      host.messages.translate(owner, id, { language: 'de', model: by });
    await expect(translate(answer.id)).rejects.toMatchObject({ code: 'message_empty' });
    await expect(translate('nobody')).rejects.toMatchObject({ code: 'message_not_found' });
    await expect(translate(answer.id, 'no/model')).rejects.toMatchObject({
      code: 'model_not_found',
    });
    await expect(
      host.messages.translate('somebody else', answer.id, { language: 'de' }),
    ).rejects.toMatchObject({ code: 'message_not_found' });
  });
});
