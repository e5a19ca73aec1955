import { describe, expect, it, onTestFinished } from 'vitest';
import { armFault } from '#shared/errors/fault.ts';
import { temporaryFolder } from './databases.ts';
import { says, ScriptedModel } from './fakes/scripted-model.ts';
import { ask, openHost, owner, quietLogger, watch } from './host.ts';
import { illegalities } from './legal-conversation.ts';

const model = 'test/scripted';

async function open(...rounds: ConstructorParameters<typeof ScriptedModel>) {
  const cleanups: (() => Promise<unknown>)[] = [];
  const place = await temporaryFolder(cleanups);
  const models = { [model]: new ScriptedModel(...rounds) };
  const host = await openHost(place, { models, logger: quietLogger });
  onTestFinished(async () => {
    await host.close();
    for (const cleanup of cleanups.toReversed()) await cleanup();
  });
  const topic = await host.topics.create(owner, { model, title: 'Unflushed' });
  const viewer = await watch(host, topic.id);
  onTestFinished(() => viewer.close());
  return { host, topic, viewer };
}

/** The disk refuses what was just committed, once. */
const refuseFlush = () => armFault('log-flushing:1:full', () => undefined);

describe('what SQLite has committed and the disk did not take at once', () => {
  it('is answered all the same, once, although its sender was told otherwise', async () => {
    const { host, topic, viewer } = await open(says('Here I am.'), says('Again.'));
    refuseFlush();
    const sent = host.messages.send(owner, topic.id, { text: 'Anybody?' });
    await expect(sent).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect
      .poll(() => host.topics.snapshot(owner, topic.id))
      .toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant', status: 'success' }] });
    expect((await ask(host, topic.id, 'And now?')).blocks[0]?.content).toBe('Again.');
    const rows = await host.topics.snapshot(owner, topic.id);
    expect(illegalities(rows)).toEqual([]);
    expect(rows.messages).toHaveLength(4);
    await expect.poll(() => viewer.conversation()).toEqual(rows);
  });

  it('is translated all the same', async () => {
    const { host, topic } = await open(says('One.'), says('Eins.'));
    const { id } = await ask(host, topic.id, 'Count.');
    refuseFlush();
    const asked = host.messages.translate(owner, id, { language: 'de' });
    await expect(asked).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect
      .poll(async () =>
        (await host.topics.snapshot(owner, topic.id)).messages.at(-1)?.blocks.at(-1),
      )
      .toMatchObject({ type: 'translation', content: 'Eins.', status: 'success' });
  });
});
