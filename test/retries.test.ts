import { expect, it, onTestFinished } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { describeEachDatabase } from './databases.ts';
import { says, ScriptedModel, type Round } from './fakes/scripted-model.ts';
import { finished, openHost, owner, until } from './host.ts';

const model = 'test/scripted';

/** Asked again in a minute, which nobody waits for. */
const limited: Round = async function* (_request, signal) {
  const retrying: Chunk = {
    type: 'retrying',
    reason: 'rate_limited',
    attempt: 2,
    of: 3,
    delay: 60_000,
  };
  yield [retrying];
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
};
const isRetrying = ({ waiting }: Message): boolean => waiting?.retry !== undefined;

describeEachDatabase((_open, fresh) => {
  it('shows that a model is asked again, also after a restart, to viewers and readers alike', async () => {
    const place = await fresh();
    const scripted = new ScriptedModel(limited, limited, limited, says('Here.'));
    const start = async () => openHost(place, { models: { [model]: scripted } });
    let host = await start();
    onTestFinished(() => host.close());
    const topic = await host.topics.create(owner, { model, title: 'T' });
    const { answerId } = await host.messages.send(owner, topic.id, { text: 'Q' });
    const retrying = (requests: number) =>
      until(
        host,
        topic.id,
        answerId,
        (message) => isRetrying(message) && scripted.requests.length === requests,
      );
    for (const requests of [1, 2]) {
      await retrying(requests);
      await host.close();
      host = await start();
    }
    const seen = await retrying(3);
    const read = await host.topics.snapshot(owner, topic.id);
    expect(read.messages.find(({ id }) => id === answerId)).toEqual(seen);
    await host.messages.stop(owner, answerId);
    const stopped = await finished(host, topic.id, answerId);
    expect(stopped).toMatchObject({ status: 'stopped', blocks: [] });
    expect(stopped.waiting).toBeUndefined();
  });
});
