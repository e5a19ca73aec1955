import type { TopicUses } from '#shared/api/topic-api.ts';
import { sanitiseText } from '#shared/text/text.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Db } from '../database/store.ts';
import type { Tables } from '../tables/tables.ts';
import { isListed } from './topics.ts';

/** Vendors may call models anything; what is longer than a name that anybody chooses cannot be filtered by. */
const maxChars = 300;

/** Notes that answers of a topic used a model, or servers by their calls. What was noted before stays. */
export async function noteUses(
  tx: Db,
  topicId: string,
  models: Iterable<string | undefined>,
  blocks: readonly Block[],
): Promise<void> {
  const rows = [
    ...rowsOf(topicId, 'model', models),
    ...rowsOf(topicId, 'server', blocks.map(serverOf)),
  ];
  if (rows.length === 0) return;
  await tx
    .insertInto('topic_uses')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function rowsOf(
  topicId: string,
  kind: 'model' | 'server',
  names: Iterable<string | undefined>,
): Tables['topic_uses'][] {
  const short = [...new Set(names)].filter(
    (name) => name !== undefined && name !== '' && name.length <= maxChars,
  );
  return short.map((name) => ({ topic_id: topicId, kind, name: sanitiseText(name ?? '') }));
}

function serverOf(block: Block): string | undefined {
  return block.type === 'tool' && !block.client ? block.serverId : undefined;
}

/** The models and servers that topics of an owner used. */
export async function listUses(db: Db, owner: string): Promise<TopicUses> {
  const rows = await db
    .selectFrom('topics')
    .innerJoin('topic_uses as used', 'used.topic_id', 'topics.id')
    .select(['used.kind', 'used.name'])
    .distinct()
    .where('topics.owner', '=', owner)
    .where(isListed)
    .orderBy('used.name')
    .execute();
  const names = (kind: string) => rows.flatMap((row) => (row.kind === kind ? row.name : []));
  return { models: names('model'), servers: names('server') };
}
