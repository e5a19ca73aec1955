import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { insertMessage } from '#store/conversations/messages.ts';
import { insertTopic } from '#store/conversations/topics.ts';
import { type Store } from '#store/database/store.ts';
import { openStore } from '#store/open-store.ts';
import { temporaryFolder } from '../processes.ts';
import { startPostgres } from '../../test/postgres.ts';

/** Where the data are, as an argument of each process. */
export interface Place {
  home: string;
  databaseUrl?: string;
}

export interface Data {
  sqlite: Place;
  postgres?: Place;
  close(): Promise<void>;
}

export const owner = 'local';
/** 1,000 answers of 10 blocks, beside their questions. */
export const manyMessages = 'topic-of-many-messages';
/** One answer of 10,000 blocks. */
export const oneAnswer = 'topic-of-one-answer';
export const blocks = 50;
export const topics = 10_000;
/** A word that one block in a hundred holds. */
export const word = 'periwinkle';

/** Makes the data on SQLite, and on PostgreSQL where there is one; both are gone with this process. */
export async function makeData(): Promise<Data> {
  const { path } = temporaryFolder();
  const sqlite = { home: path };
  await fill(sqlite);
  const started = await startPostgres();
  if (started.url === undefined) {
    process.stderr.write(`Without PostgreSQL: ${started.missing}.\n`);
    return { sqlite, close: async () => undefined };
  }
  const postgres = { home: path, databaseUrl: started.url };
  await fill(postgres);
  return { sqlite, postgres, close: () => started.stop() };
}

async function fill(place: Place): Promise<void> {
  const store = await openStore(place);
  for (let start = 0; start < topics; start += 500)
    await store.transaction(async (tx) => {
      for (let n = start; n < start + 500; n += 1) {
        await insertTopic(tx, owner, topic(`topic-${n}`, `Topic ${n} about ${words(n, 4)}`, n));
        if (n % 10 === 0) await insertMessage(tx, answer(`topic-${n}`, `short-${n}`, 1, n));
      }
    });
  await store.transaction(async (tx) => {
    await insertTopic(tx, owner, topic(manyMessages, 'Many messages', topics));
    await insertTopic(tx, owner, topic(oneAnswer, 'One answer', topics + 1));
    await insertMessage(tx, answer(oneAnswer, 'the-answer', 10_000, 7));
  });
  for (let start = 0; start < 1000; start += 100)
    await store.transaction(async (tx) => {
      for (let n = start; n < start + 100; n += 1)
        await insertMessage(tx, answer(manyMessages, `answer-${n}`, 10, n));
    });
  await analyse(store);
  await store.close();
}

/** PostgreSQL does it by itself after a while. */
async function analyse({ db, dialect }: Store): Promise<void> {
  const { CompiledQuery } = await import('kysely');
  if (dialect === 'postgres') await db.executeQuery(CompiledQuery.raw('vacuum analyze'));
}

const topic = (id: string, title: string, at: number) => ({
  id,
  title,
  titled: true,
  assistantId: 'default',
  activeLeafId: null,
  isLoading: false,
  createdAt: at,
  updatedAt: at,
});

function answer(topicId: string, id: string, count: number, seed: number): Message {
  const usage = { inputTokens: 100 + seed, outputTokens: 200 };
  const own = Array.from({ length: count }, (_, ordinal) => block(id, ordinal, seed));
  const rest = { role: 'assistant' as const, status: 'success' as const, model: 'demo/scripted' };
  return { id, topicId, parentId: null, ...rest, usage, createdAt: 1, endedAt: 2, blocks: own };
}

function block(messageId: string, ordinal: number, seed: number): Block {
  const text = `${words(seed + ordinal, 100)}${(seed + ordinal) % 100 === 0 ? ` ${word}` : ''}`;
  const base = { id: `${messageId}-${ordinal}`, messageId, ordinal, startedAt: 1, endedAt: 2 };
  return { ...base, type: 'main_text', status: 'success', content: text } as Block;
}

const vocabulary = Array.from({ length: 2000 }, (_, n) => `word${n.toString(36)}`);
const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, n) => vocabulary[(seed * 31 + n * 17) % 2000]).join(' ');
