import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import { sanitiseText } from '#shared/text/text.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { loadConversation } from '#store/conversations/conversation.ts';
import { readEvents } from '#store/conversations/events.ts';
import { LeaseLost } from '#store/conversations/leases.ts';
import { readPage } from '#store/conversations/message-page.ts';
import { insertMessage } from '#store/conversations/messages.ts';
import { LogFlush } from '#store/database/log-flush.ts';
import type { Store } from '#store/database/store.ts';
import { describeEachDatabase } from '../../../test/databases.ts';
import { parseFrames } from '../../../test/host.ts';
import { silent, startAnswer, TestViewer } from '../../../test/fixtures/live-answer.ts';
import { illegalities } from '../../../test/legal-conversation.ts';
import { Leases } from './leases.ts';

/** A store whose journal can be made to fail, or to be late: `during` runs while it is written. */
function failing(store: Store): Store & { fails: boolean; during: () => void } {
  const wrapped = {
    ...store,
    fails: false,
    during: () => undefined as void,
    appendEvents: (...args: Parameters<Store['appendEvents']>) => {
      wrapped.during();
      wrapped.during = () => undefined;
      return wrapped.fails
        ? Promise.reject(new CeriseError('storage_unavailable', 'The disk is full.'))
        : store.appendEvents(...args);
    },
  };
  return wrapped;
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        op: fc.constantFrom('text', 'text', 'race'),
        text: fc.string({ unit: 'binary', minLength: 1 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        op: fc.constantFrom('flush', 'frame', 'block', 'cut', 'fail', 'heal'),
        text: fc.constant(''),
      }),
    },
  ),
  { minLength: 1, maxLength: 40 },
);

describeEachDatabase((open, _fresh, dialect) => {
  if (dialect === 'postgres')
    it('writes nothing to a topic that another host has claimed, not even rows without events', async () => {
      const store = await open();
      const { live, answer } = await startAnswer(store, new Leases(store, 'here', silent));
      await store.db.updateTable('topics').set({ lease_until: 1 }).execute();
      expect(await new Leases(store, 'there', silent).claim(live.id)).toBeDefined();
      const rename = live.commit({
        events: [],
        rows: (tx) => tx.updateTable('messages').set({ model: 'mine' }).execute(),
      });
      await expect(rename).rejects.toBeInstanceOf(LeaseLost);
      expect(live.isLost).toBe(true);
      const row = await store.db.selectFrom('messages').select('model').executeTakeFirst();
      expect(row).toEqual({ model: answer.model ?? null });
    });

  if (dialect === 'postgres')
    it('journals no text for a topic that another host has claimed', async () => {
      const store = await open();
      const leases = new Leases(store, 'here', silent);
      const { live, journal, blocks } = await startAnswer(store, leases);
      const block = blocks.start({ type: 'main_text', status: 'streaming' });
      await journal.flush();
      const before = await readEvents(store.db, live.id);
      await store.db.updateTable('topics').set({ lease_until: 1 }).execute();
      expect(await new Leases(store, 'there', silent).claim(live.id)).toBeDefined();
      blocks.append(block, 'too late');
      await journal.flush();
      expect(live.isLost).toBe(true);
      expect(await readEvents(store.db, live.id)).toEqual(before);
    });

  if (dialect === 'postgres')
    it('makes sure of text whose write was not heard to end before it commits anything else', async () => {
      const real = await open();
      const store = { ...real };
      const { live, journal, blocks } = await startAnswer(store, new Leases(real, 'here', silent));
      const block = blocks.start({ type: 'main_text', status: 'streaming' });
      await journal.flush();
      store.appendEvents = async (...rows) => {
        await real.appendEvents(...rows);
        throw new CeriseError('storage_unavailable', 'The connection was lost.');
      };
      blocks.append(block, 'written');
      await journal.flush();
      store.appendEvents = (...rows) => real.appendEvents(...rows);
      await live.commit({ events: [{ type: 'topic-update', patch: { title: 'after it' } }] });
      expect(live.isLost).toBe(false);
      const events = await readEvents(real.db, live.id);
      expect(events.map(({ type }) => type).slice(-3)).toEqual([
        'block-start',
        'block-delta',
        'topic-update',
      ]);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
    });

  it('shows viewers exactly the log, whatever fails, is flushed or is cut in between', async () => {
    const store = failing(await open());
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        store.fails = false;
        const { live, journal, answer, blocks } = await startAnswer(store);
        const viewer = await TestViewer.of(live);
        live.viewers.add(viewer);
        let block = blocks.start({ type: 'main_text', status: 'streaming' });
        const written = [''];
        const append = (text: string) => {
          blocks.append(block, text);
          written.push((written.pop() ?? '') + text);
        };
        for (const { op, text } of script) {
          if (op === 'text') append(text);
          else if (op === 'race') {
            store.during = () => append(text);
            await journal.flush();
            store.during();
            store.during = () => undefined;
          } else if (op === 'flush') await journal.flush();
          else if (op === 'frame') live.viewers.sendFrame();
          else if (op === 'fail') store.fails = true;
          else if (op === 'heal') store.fails = false;
          else if (op === 'block') {
            blocks.end(block, 'success');
            block = blocks.start({ type: 'main_text', status: 'streaming' });
            written.push('');
          } else {
            live.viewers.delete(viewer);
            const missed = live.eventsAfter(viewer.lastSeq) ?? [];
            for (const { seq, body } of missed)
              viewer.send(`data: {"seq":${seq},${body.slice(1)}\n\n`);
            live.viewers.add(viewer);
          }
          expect(illegalities(viewer.conversation)).toEqual([]);
        }
        store.fails = false;
        blocks.endAll('success', 'cancelled');
        await live.finish({ type: 'message-end', messageId: answer.id, status: 'success', at: 9 });
        const log = await loadConversation(store, 'local', live.id, { limit: 10 });
        expect(viewer.conversation.messages).toEqual(log?.messages);
        const halfGone = written.map((text) => sanitiseText(text.replace(/[\ud800-\udbff]$/, '')));
        expect(log?.messages[0]?.blocks.map(({ content }) => content)).toEqual(halfGone);
        expect(viewer.seqs).toEqual(viewer.seqs.map((_, index) => viewer.seqs[0]! + index));
        await journal.close();
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('places text that came while a write was under way after what that write holds', async () => {
    const store = failing(await open());
    const { live, journal, answer, blocks } = await startAnswer(store);
    const viewer = await TestViewer.of(live);
    live.viewers.add(viewer);
    const block = blocks.start({ type: 'main_text', status: 'streaming' });
    await journal.flush();
    blocks.append(block, 'ab');
    store.during = () => blocks.append(block, 'vwxyz');
    await journal.flush();
    live.viewers.sendFrame();
    expect(viewer.conversation.messages[0]?.blocks[0]?.content).toBe('abvwxyz');
    await live.finish({ type: 'message-end', messageId: answer.id, status: 'success', at: 9 });
    expect(viewer.conversation.messages[0]?.blocks[0]?.content).toBe('abvwxyz');
    await journal.close();
  });

  it('keeps the tail of the text when a write fails, and writes it with the next', async () => {
    const store = failing(await open());
    const { live, journal, answer, blocks } = await startAnswer(store);
    const block = blocks.start({ type: 'main_text', status: 'streaming' });
    blocks.append(block, 'one ');
    store.fails = true;
    await journal.flush();
    blocks.append(block, 'two ');
    await journal.flush();
    store.fails = false;
    blocks.append(block, 'three');
    await journal.flush();
    const log = await loadConversation(store, 'local', live.id, { limit: 10 });
    expect(log?.messages[0]?.blocks[0]?.content).toBe('one two three');
    await live.finish({ type: 'message-end', messageId: answer.id, status: 'success', at: 9 });
    await journal.close();
  });

  it('keeps the text of a running answer when one that waits behind it is stopped', async () => {
    const store = await open();
    const { live, journal, answer, blocks } = await startAnswer(store);
    const queued: Message = { ...answer, id: randomUUIDv7(), parentId: answer.id, createdAt: 3 };
    await live.commit({
      events: [{ type: 'message-start', messageId: queued.id, message: queued }],
      inRows: true,
      rows: (tx) => insertMessage(tx, queued),
    });
    const block = blocks.start({ type: 'main_text', status: 'streaming' });
    blocks.append(block, 'not yet written, ');
    await live.finish({ type: 'message-end', messageId: queued.id, status: 'stopped', at: 4 });
    blocks.append(block, 'and more');
    await journal.flush();
    const log = await loadConversation(store, 'local', live.id, { limit: 10 });
    expect(log?.messages[0]?.blocks[0]?.content).toBe('not yet written, and more');
    expect(log?.messages[1]?.status).toBe('stopped');
    await live.finish({ type: 'message-end', messageId: answer.id, status: 'success', at: 9 });
    await journal.close();
  });

  it('stores the text that waits before a change that is committed, whole', async () => {
    const store = await open();
    const { live, journal, answer, blocks } = await startAnswer(store);
    const block = blocks.start({ type: 'main_text', status: 'streaming' });
    blocks.append(block, 'not yet written');
    await live.commit({ events: [{ type: 'topic-update', patch: { title: 'after it' } }] });
    const log = await loadConversation(store, 'local', live.id, { limit: 10 });
    expect(log?.messages[0]?.blocks[0]?.content).toBe('not yet written');
    await live.finish({ type: 'message-end', messageId: answer.id, status: 'success', at: 9 });
    await journal.close();
  });

  it('shows what was said before the disk has the end of the answer, each event once', async () => {
    const store = await open();
    if (store.dialect === 'postgres') return;
    const { live, journal, answer, blocks } = await startAnswer(store);
    const shown: string[] = [];
    const send = (frames: string) => shown.push(...parseFrames(frames).map(({ type }) => type));
    live.viewers.add({ send, end: () => undefined });
    const flush = vi.spyOn(LogFlush.prototype, 'flush');
    onTestFinished(() => flush.mockRestore());
    const beforeFlush: string[][] = [];
    flush.mockImplementationOnce(async () => void beforeFlush.push([...shown]));
    const block = blocks.start({ type: 'main_text', status: 'streaming' });
    blocks.append(block, 'All that there is to say.');
    blocks.end(block, 'success', 'main_text');
    await live.finish({ type: 'message-end', messageId: answer.id, status: 'success', at: 9 });
    const said = ['block-start', 'block-delta', 'block-end'];
    expect(beforeFlush).toEqual([said]);
    expect(shown).toEqual([...said, 'message-end']);
    await journal.close();
  });

  it('reads what is committed only together with its number, however late that is heard', async () => {
    const opened = await open();
    const heard = Promise.withResolvers<void>();
    const committed = Promise.withResolvers<void>();
    let isLate = false;
    const transaction: Store['transaction'] = async (work, durability) => {
      const result = await opened.transaction(work, durability);
      if (!isLate) return result;
      committed.resolve();
      await heard.promise;
      return result;
    };
    const { live, journal, answer } = await startAnswer({ ...opened, transaction });
    const next: Message = { ...answer, id: randomUUIDv7(), parentId: answer.id, createdAt: 3 };
    isLate = true;
    const commit = live.commit({
      events: [{ type: 'message-start', messageId: next.id, message: next }],
      inRows: true,
      rows: (tx) => insertMessage(tx, next),
    });
    await committed.promise;
    const snapshot = await live.snapshot(async () => {
      const rows = await readPage(opened.db, live.id, { limit: 10 });
      setImmediate(heard.resolve);
      return rows;
    });
    await commit;
    expect(snapshot.messages.map(({ id }) => id)).toEqual([answer.id, next.id]);
    expect(snapshot.seq).toBe(live.seq);
    expect(snapshot.topic.activeLeafId).toBe(next.id);
    await journal.close();
  });

  it('leaves nothing of a commit whose rows fail, and keeps what was pending', async () => {
    const store = await open();
    const { live, journal, answer, blocks } = await startAnswer(store);
    const block = blocks.start({ type: 'main_text', status: 'streaming' });
    blocks.append(block, 'kept');
    const seq = live.seq;
    const broken = live.commit({
      events: [blocks.updateEvent(block, 'main_text', { signature: 'never' })],
      rows: () => Promise.reject(new Error('no')),
    });
    await expect(broken).rejects.toThrow('no');
    expect(live.seq).toBe(seq);
    const done = await live.finish({
      type: 'message-end',
      messageId: answer.id,
      status: 'success',
      at: 9,
    });
    expect(done.blocks[0]).toMatchObject({ content: 'kept' });
    expect(done.blocks[0]).not.toHaveProperty('name');
    await journal.close();
  });

  it('joins characters that a model cut in two, and stores none that cannot be stored', async () => {
    const store = await open();
    const { live, answer, blocks, journal } = await startAnswer(store);
    const block = blocks.start({ type: 'main_text', status: 'streaming' });
    for (const text of ['a\ud83d', '\udc4bb', '\0c', '\udc00', 'd\ud800', 'e'])
      blocks.append(block, text);
    blocks.end(block, 'success');
    const done = await live.finish({
      type: 'message-end',
      messageId: answer.id,
      status: 'success',
      at: 9,
    });
    expect(done.blocks[0]?.content).toBe('a👋b\ufffdc\ufffdd\ufffde');
    const log = await loadConversation(store, 'local', live.id, { limit: 10 });
    expect(log?.messages).toEqual([done]);
    await journal.close();
  });
});
