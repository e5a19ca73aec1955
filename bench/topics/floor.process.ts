import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { blocks, manyMessages, oneAnswer, owner, type Place, word } from './data.ts';
import { measure } from './measure.ts';

const [what = '', place = ''] = process.argv.slice(2);

interface Query {
  sql: string;
  postgres: string;
  parameters: (string | number)[];
}

const newestBlocks = (join: string): string => `
  select m.id, m.topic_id, m.parent_id, m.role, m.status, m.model, m.usage, m.error, m.created_at,
    m.ended_at, b.id as block_id, b.ordinal, b.type, b.status as block_status, b.content, b.data
  from messages m left join ${join}
  where m.topic_id = ? order by m.n desc, b.ordinal desc limit ${blocks + 1}`;
const pageOf = (topic: string): Query => ({
  sql: newestBlocks('blocks b on b.message_id = m.id'),
  postgres: newestBlocks(`lateral (
    select * from blocks where message_id = m.id order by ordinal desc limit ${blocks + 1}
  ) b on true`),
  parameters: [topic],
});
const list = `
  select *, exists (select 1 from messages where topic_id = topics.id and running = 1) as is_loading
  from topics where owner = ? order by updated_at desc, id desc limit 200`;
/** What is shown of a hit is its topic, and a part of its text. */
const hits = (found: string) => `
  select search.kind, search.start, topics.id, topics.title, blocks.* from ${found}
  and topics.owner = '${owner}' order by search.kind desc, search.id desc limit 50`;

/** The bare queries: the same rows by the driver alone, one prepared statement each. */
const queries: Record<string, Query> = {
  'many-messages': pageOf(manyMessages),
  'one-answer': pageOf(oneAnswer),
  list: { sql: list, postgres: list, parameters: [owner] },
  search: {
    sql: hits(`search_index cross join search on search.id = search_index.rowid
      cross join topics on topics.id = search.topic_id left join blocks on blocks.id = search.ref_id
      where search_index match ?`),
    postgres: hits(`search join topics on topics.id = search.topic_id
      left join blocks on blocks.id = search.ref_id where tokens @@ ?::tsquery`),
    parameters: [word],
  },
};

const query = queries[what];
if (!query) throw new Error(`there is no query ${what}`);
const { home, databaseUrl } = JSON.parse(place) as Place;
if (databaseUrl === undefined) {
  const database = new DatabaseSync(join(home, 'cerise.db'));
  const statement = database.prepare(query.sql);
  await measure(() => statement.all(...query.parameters));
  database.close();
} else {
  const client = new Client(databaseUrl);
  await client.connect();
  const { postgres, parameters: values } = query;
  const text = postgres.replace('?', '$1');
  await measure(() => client.query({ name: what, text, values }));
  await client.end();
}
