import { hash } from 'node:crypto';
import { originsFrom, mergeOrigins, type Origin } from '#shared/vocabulary/origin.ts';
import type { KnowledgeGraph, MemoryPort } from '#shared/vocabulary/ports.ts';
import { inChunks } from '../database/chunks.ts';
import { transactSerially } from '../database/transact-serially.ts';
import { fromJson, toJson } from '../database/json.ts';
import type { Db, Store } from '../database/store.ts';
import { findOrigins, forgetOrigins, noteOrigins } from './provenance.ts';

const empty: KnowledgeGraph = { entities: [], relations: [] };
const chunkSize = 500;
const unknown: Origin[] = [{ from: 'unknown' }];

/** The built-in memory of one owner. Updates wait for each other, in one process and between several. */
export function createMemory(store: Store, owner: string): MemoryPort {
  return {
    read: () => readGraph(store.db, owner),
    originsOf: async (graph) => {
      const parts = await untrustedParts(store.db, owner, graph);
      return mergeOrigins(
        ...parts.map(({ name, origins }) => originsFrom(origins, 'memory', name)),
      );
    },
    update: (change, origins = []) =>
      transactSerially(store, `memory ${owner}`, async (tx) => {
        const before = await readGraph(tx, owner);
        const known = new Set(partsOf(before).map(({ words }) => words));
        const graph = toJson(change(before));
        const after = fromJson(graph) as KnowledgeGraph;
        const kept = new Set(partsOf(after).map(({ words }) => words));
        const at = Date.now();
        const keys = [...kept].filter((words) => !known.has(words)).map(keyOf);
        await noteOrigins(tx, { owner, place: 'memory', keys, origins, at });
        const gone = [...known].filter((words) => !kept.has(words)).map(keyOf);
        await forgetOrigins(tx, owner, 'memory', gone);
        const changed = { graph, updated_at: at };
        await tx
          .insertInto('memory')
          .values({ owner, ...changed })
          .onConflict((conflict) => conflict.column('owner').doUpdateSet(changed))
          .execute();
        return after;
      }),
  };
}

/** A piece of the graph that words were said in. */
interface MemoryPart {
  kind: 'entity' | 'observation' | 'relation';
  /** The entity it belongs to, or starts at. */
  name: string;
  text: string;
}

/** A part with where its untrusted words came from; others that say the same have the same key. */
export interface UntrustedPart extends MemoryPart {
  key: string;
  origins: Origin[];
}

/** Those parts of a graph that an untrusted source said, or nobody knows who did. */
export async function untrustedParts(
  db: Db,
  owner: string,
  graph: KnowledgeGraph,
): Promise<UntrustedPart[]> {
  const found = await inChunks(partsOf(graph), chunkSize, async (piece) => {
    const parts = piece.map(({ words, ...part }) => ({ ...part, key: keyOf(words) }));
    const keys = parts.map(({ key }) => key);
    const known = await findOrigins(db, owner, 'memory', keys);
    return parts.map((part) => ({ ...part, origins: known.get(part.key) ?? unknown }));
  });
  return found.flat().filter(({ origins }) => origins.length > 0);
}

/** The whole memory of an owner. */
export async function readGraph(db: Db, owner: string): Promise<KnowledgeGraph> {
  const row = await db
    .selectFrom('memory')
    .select('graph')
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row ? (fromJson(row.graph) as KnowledgeGraph) : structuredClone(empty);
}

function partsOf({ entities, relations }: KnowledgeGraph): (MemoryPart & { words: string })[] {
  const part = (kind: MemoryPart['kind'], name: string, text: string, said: string[]) => ({
    kind,
    name,
    text,
    words: JSON.stringify([kind, ...said]),
  });
  return [
    ...entities.flatMap(({ name, entityType, observations }) => [
      part('entity', name, entityType, [name, entityType]),
      ...observations.map((text) => part('observation', name, text, [name, text])),
    ]),
    ...relations.map(({ from, relationType, to }) =>
      part('relation', from, `${relationType} ${to}`, [from, relationType, to]),
    ),
  ];
}

function keyOf(words: string): string {
  return hash('sha256', words, 'base64url');
}
