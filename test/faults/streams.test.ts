import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import type { DurableEvent } from '#shared/vocabulary/event.ts';
import { isMessageRunning, type Message, type Topic } from '#shared/vocabulary/message.ts';
import { temporaryFolder, temporaryDatabase } from '../databases.ts';
import { openApi, stored, type TestApi, token } from '../fixtures/http.ts';
import { PacedModel } from '../fixtures/paced-model.ts';
import { ClientState, type Frame, readFrames } from '../fixtures/sse-reader.ts';
import { quickJournal } from '../host.ts';
import { illegalities } from '../legal-conversation.ts';

// Every notification between hosts is dropped: what is shown must be found by looking.
vi.mock('#store/database/doorbell.ts', () => ({
  openDoorbell: () => ({ ring: async () => undefined, close: async () => undefined }),
}));

const model = 'test/paced';
const url = inject('postgresUrl');

/** How a reader comes back: with its own number, or with one that is none of its business. */
type Cursor = 'own' | 'none' | 'future' | 'garbage' | { past: number } | { ofAnotherTopic: number };

interface Connection {
  cursor: Cursor;
  /** Bytes after which it is cut. */
  cut: number;
  /** Which of the hosts it reaches. */
  host: number;
}

const connections = fc.array(
  fc.record<Connection>({
    cursor: fc.oneof(
      { weight: 4, arbitrary: fc.constant('own' as const) },
      fc.constantFrom('none' as const, 'future' as const, 'garbage' as const),
      fc.record({ past: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ ofAnotherTopic: fc.integer({ min: 0, max: 40 }) }),
    ),
    cut: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2500 })),
    host: fc.nat({ max: 1 }),
  }),
  { maxLength: 12 },
);

const garbage = ['-1', 'abc', '1.5', '9'.repeat(40), '0x10'];

function headerOf(cursor: Cursor, lastId: number | undefined): string | undefined {
  if (cursor === 'none') return undefined;
  if (cursor === 'future') return String((lastId ?? 0) + 1_000_000);
  if (cursor === 'garbage') return garbage[(lastId ?? 0) % garbage.length];
  if (cursor === 'own') return lastId === undefined ? undefined : String(lastId);
  const seq = 'past' in cursor ? Math.max(0, (lastId ?? 0) - cursor.past) : cursor.ofAnotherTopic;
  return String(seq);
}

/** What one connection was shown, and the number it had said it knows. */
interface Shown {
  after: string | undefined;
  frames: Frame[];
}

/** A reader that is cut again and again, and at last reads to the end of the answer. */
async function read(
  apis: TestApi[],
  { topicId, answerId, log }: { topicId: string; answerId: string; log: Log },
  cuts: Connection[],
) {
  const client = new ClientState();
  const shown: Shown[] = [];
  const hasEnded = () =>
    client.conversation?.messages.some(({ id, status }) => id === answerId && !runs(status));
  const last: Connection = { cursor: 'own', cut: Infinity, host: cuts.length % 2 };
  for (const { cursor, cut, host } of [...cuts, last]) {
    if (hasEnded()) break;
    const after = headerOf(cursor, client.lastId);
    const api = apis[host % apis.length] as TestApi;
    const response = await api.raw('GET', `/api/topics/${topicId}/events`, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(after !== undefined && { 'last-event-id': after }),
      },
    });
    const frames: Frame[] = [];
    shown.push({ after, frames });
    const onFrame = (frame: Frame) => {
      if (frame.id !== undefined) frames.push(frame);
      if (cursor === 'own') client.take(frame);
      return cursor === 'own' ? hasEnded() : frame.event?.type === 'message-end';
    };
    const reading = readFrames(response, onFrame, Math.max(cut, 1));
    // With a number that is not its own it may have nothing to wait for.
    await (cursor === 'own' ? reading : Promise.race([reading, log.ended]));
  }
  return { client, shown };
}

const runs = (status: Message['status']) => isMessageRunning({ status });

interface Log {
  events: Map<number, DurableEvent>;
  /** Resolves with the end of the answer. */
  ended: Promise<void>;
}

/** What is wrong with a connection: it is a snapshot or goes on where it was told, then the log. */
function problems({ after, frames }: Shown, { events }: Log): string[] {
  const found: string[] = [];
  let at = after !== undefined && /^\d{1,15}$/.test(after) ? Number(after) : undefined;
  for (const [n, { id = 0, event }] of frames.entries()) {
    if (event?.type === 'snapshot') {
      if (n > 0 && at !== undefined && id <= at) found.push(`a snapshot of ${id} after ${at}`);
    } else if (id !== (at ?? -1) + 1) found.push(`${id} after ${at}`);
    else if (JSON.stringify(event) !== JSON.stringify(events.get(id)))
      found.push(`${id} is not the log’s`);
    at = id;
  }
  return found;
}

/** A viewer beside the writer, in the same process, that is never cut: it sees the log itself. */
async function witness({ host }: TestApi, topicId: string): Promise<Log> {
  const events: Log['events'] = new Map();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const close = await host.topics.watch('local', topicId, undefined, {
    send: (frames) => {
      for (const line of frames.split('\n'))
        if (line.startsWith('data: ')) {
          const event = JSON.parse(line.slice(6)) as DurableEvent;
          if (event.seq !== undefined) events.set(event.seq, event);
          if (event.type === 'message-end') end();
        }
    },
    end: () => undefined,
  });
  onTestFinished(close);
  return { events, ended };
}

const databases = [
  ['SQLite', 40, temporaryFolder],
  ...(url === null
    ? []
    : [['PostgreSQL', 20, (cleanups: Cleanup[]) => temporaryDatabase(url, cleanups)] as const]),
] as const;

type Cleanup = () => Promise<unknown>;

describe.each(databases)('streams of events on %s', (name, numRuns, makePlace) => {
  it('are the log for readers cut at any byte, with any Last-Event-ID, on any host, unrung (T66)', async () => {
    const cleanups: Cleanup[] = [];
    onTestFinished(async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup();
    });
    const place = await makePlace(cleanups);
    const paced = new PacedModel();
    const open = () => openApi({ place, models: { [model]: paced }, limits: quickJournal(1) });
    const apis = name === 'SQLite' ? [await open()] : [await open(), await open()];
    const [writer] = apis as [TestApi];
    let questions = 0;
    const deltas = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), {
      minLength: 1,
      maxLength: 60,
    });
    const readers = fc.array(connections, { minLength: 1, maxLength: 3 });
    const holds = async (texts: string[], batch: number, all: Connection[][]): Promise<void> => {
      const topic = await writer.json<Topic>('POST', '/api/topics', { title: 'Topic', model });
      const log = await witness(writer, topic.id);
      const question = `question-${(questions += 1)}-end`;
      paced.scripts.set(question, { deltas: texts, batch, pause: () => setTimeout(3) });
      const path = `/api/topics/${topic.id}/messages`;
      const { answerId } = await writer.json<{ answerId: string }>('POST', path, {
        text: question,
      });
      const seen = await Promise.all(
        all.map((cuts) => read(apis, { topicId: topic.id, answerId, log }, cuts)),
      );
      const rows = await stored(writer, topic.id);
      expect(illegalities(rows)).toEqual([]);
      expect(rows.messages.at(-1)?.blocks[0]?.content).toBe(texts.join(''));
      for (const { client, shown } of seen) {
        expect(client.problems).toEqual([]);
        expect(client.conversation).toEqual(rows);
        expect(shown.flatMap((each) => problems(each, log))).toEqual([]);
      }
      for (const api of apis)
        expect(await api.json('GET', `/api/topics/${topic.id}`)).toEqual(rows);
    };
    await fc.assert(fc.asyncProperty(deltas, fc.integer({ min: 1, max: 7 }), readers, holds), {
      numRuns,
      endOnFailure: true,
    });
  }, 60_000);
});
