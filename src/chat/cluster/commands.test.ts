import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import { insertInbox, listInbox } from '#store/conversations/inbox.ts';
import { insertTopic } from '#store/conversations/topics.ts';
import { openStore } from '#store/open-store.ts';
import { temporaryDatabase } from '../../../test/databases.ts';
import { owner, quietLogger } from '../../../test/host.ts';
import { HeldElsewhere } from '../topic/live-topics.ts';
import { Signals } from '../topic/signals.ts';
import { Commands } from './commands.ts';

const topic = {
  id: 't',
  title: '',
  titled: false,
  assistantId: 'default',
  activeLeafId: null,
  isLoading: false,
  createdAt: 1,
  updatedAt: 1,
};

const url = inject('postgresUrl');

// Only hosts that share a PostgreSQL hand commands over.
describe.skipIf(url === null)('between hosts', () => {
  async function start() {
    const cleanups: (() => Promise<unknown>)[] = [];
    onTestFinished(async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup();
    });
    const store = await openStore(await temporaryDatabase(url ?? '', cleanups));
    cleanups.push(() => store.close());
    await store.transaction((tx) => insertTopic(tx, owner, topic));
    const signals = new Signals();
    const commands = new Commands({ store, signals, logger: quietLogger, now: Date.now });
    const accept = () =>
      store.transaction((tx) =>
        insertInbox(tx, {
          id: randomUUIDv7(),
          owner,
          topicId: topic.id,
          kind: 'stop',
          body: { answerId: 'a' },
          createdAt: 1,
        }),
      );
    return { store, signals, commands, accept };
  }

  it('a command that was carried out is done, although the host lost the database right after', async () => {
    const { store, commands, accept } = await start();
    let times = 0;
    commands.define('stop', async (_at, _body, also) => {
      times += 1;
      await store.transaction((tx) => also(tx, null));
      throw new CeriseError('storage_unavailable', 'The database is away.');
    });
    await accept();
    await commands.work(topic.id);
    await commands.work(topic.id);
    expect(times).toBe(1);
    expect(await listInbox(store.db, [topic.id])).toEqual([]);
  });

  it('a command that was not carried out waits for whoever can', async () => {
    const { store, commands, accept } = await start();
    commands.define('stop', () => Promise.reject(new HeldElsewhere(topic.id)));
    await accept();
    await commands.work(topic.id);
    expect(await listInbox(store.db, [topic.id])).toHaveLength(1);
  });

  it('a command for a topic of another host is left to it, and gives what came of it', async () => {
    const { store, signals, commands } = await start();
    const there = new Commands({ store, signals, logger: quietLogger, now: Date.now });
    there.define('stop', async () => null);
    const stop = commands.define('stop', () => Promise.reject(new HeldElsewhere(topic.id)));
    signals.on('tell-command', ({ topicId }) => there.work(topicId));
    expect(await stop({ owner, topicId: topic.id }, { answerId: 'a' })).toBeNull();
  });
});
