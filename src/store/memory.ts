import type { KnowledgeGraph, MemoryPort } from '#shared/ports.ts';
import { fromJson, toJson } from './json.ts';
import { transactInTurn } from './in-turn.ts';
import type { Db, Store } from './store.ts';

const empty: KnowledgeGraph = { entities: [], relations: [] };

/** The built-in memory of one owner. Updates wait for each other, in one process and between several. */
export function createMemory(store: Store, owner: string): MemoryPort {
  return {
    read: () => readGraph(store.db, owner),
    update: (change) =>
      transactInTurn(store, `memory ${owner}`, async (tx) => {
        const changed = {
          graph: toJson(change(await readGraph(tx, owner))),
          updated_at: Date.now(),
        };
        await tx
          .insertInto('memory')
          .values({ owner, ...changed })
          .onConflict((conflict) => conflict.column('owner').doUpdateSet(changed))
          .execute();
        return fromJson(changed.graph) as KnowledgeGraph;
      }),
  };
}

async function readGraph(db: Db, owner: string): Promise<KnowledgeGraph> {
  const row = await db
    .selectFrom('memory')
    .select('graph')
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row ? (fromJson(row.graph) as KnowledgeGraph) : structuredClone(empty);
}
