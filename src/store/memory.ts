import type { KnowledgeGraph, MemoryPort } from '#shared/ports.ts';
import { fromJson, toJson } from './json.ts';
import type { Db, Store } from './store.ts';

const empty: KnowledgeGraph = { entities: [], relations: [] };

/** The built-in memory of one owner. Updates wait for each other, in one process and between several. */
export function createMemory(store: Store, owner: string): MemoryPort {
  return {
    read: () => readGraph(store.db, owner, false),
    update: (change) =>
      store.transaction(async (tx) => {
        await tx
          .insertInto('memory')
          .values({ owner, graph: toJson(empty), updated_at: Date.now() })
          .onConflict((conflict) => conflict.column('owner').doNothing())
          .execute();
        const graph = await readGraph(tx, owner, store.dialect === 'postgres');
        const text = toJson(change(graph));
        await tx
          .updateTable('memory')
          .set({ graph: text, updated_at: Date.now() })
          .where('owner', '=', owner)
          .execute();
        return fromJson(text) as KnowledgeGraph;
      }),
  };
}

async function readGraph(db: Db, owner: string, lockRow: boolean): Promise<KnowledgeGraph> {
  const row = await db
    .selectFrom('memory')
    .select('graph')
    .where('owner', '=', owner)
    .$if(lockRow, (query) => query.forUpdate())
    .executeTakeFirst();
  return row ? (fromJson(row.graph) as KnowledgeGraph) : structuredClone(empty);
}
