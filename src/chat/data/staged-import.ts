import { randomUUIDv7 } from 'node:crypto';
import { CeriseError } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import { getAssistant } from '#store/configuration/assistants.ts';
import { importedOwner } from '#store/conversations/hidden-topics.ts';
import {
  abandonImport,
  calledHere,
  type ImportNames,
  insertImport,
  type UnfinishedImport,
  unfinishedImports,
  removeImport,
  type StagedImport,
  stagedTopics,
  sweepImportSlice,
  touchImport,
  wholeImport,
} from '#store/conversations/imports.ts';
import { sweepTopics } from '#store/conversations/sweep.ts';
import { getTopic, updateTopic } from '#store/conversations/topics.ts';
import { transactSerially } from '#store/database/transact-serially.ts';
import { inSlices } from '#store/database/slices.ts';
import type { Db, Store } from '#store/database/store.ts';
import { assertStill } from '../people/visitor.ts';

/**
 * An import under way. What it brings in is written in slices, each a transaction of its own, into topics
 * that nobody sees; one commit decides that it happened, and then they are shown. An import that
 * was cut is swept by the next host that finds it, or, if it had happened, the rest of it is shown.
 */
export class Staging {
  readonly #store: Store;
  readonly #staged: StagedImport;
  readonly #now: () => number;

  private constructor(store: Store, staged: StagedImport, now: () => number) {
    this.#store = store;
    this.#staged = staged;
    this.#now = now;
  }

  /** Whatever was cut or deleted of this person goes first, as far as it can: its ids are free again then. */
  static async begin(store: Store, owner: string, now: () => number): Promise<Staging> {
    for (const left of await unfinishedImports(store.db, { owner }))
      await settleImport(store, left);
    await sweepTopics(store, { owner, onFailure: () => undefined });
    const staged = { id: randomUUIDv7(), owner };
    await store.transaction(async (tx) => {
      await assertStill(tx, store.dialect, owner);
      await insertImport(tx, staged, now());
    });
    return new Staging(store, staged, now);
  }

  /** The owner of the topics until they are shown. */
  get owner(): string {
    return importedOwner(this.#staged.id, this.#staged.owner);
  }

  /** Writes a slice. In turn: others may bring in the same file, and ids that nobody has are taken here. */
  async write<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    await fault('import-slice');
    return await transactSerially(
      this.#store,
      'import',
      async (tx) => {
        if (!(await touchImport(tx, this.#staged.id, this.#now()))) throw takenForDead();
        return await work(tx);
      },
      'relaxed',
    );
  }

  /** Decides that it happened; `check` may throw. Then shows all of it, and tells of each topic. */
  async finish(names: ImportNames, onTopic: (topic: Topic) => void): Promise<void> {
    const { id, owner } = this.#staged;
    await this.#store.transaction(async (tx) => {
      await assertStill(tx, this.#store.dialect, owner);
      if (!(await touchImport(tx, id, this.#now()))) throw takenForDead();
      await wholeImport(tx, id, names);
    });
    await fault('import-whole');
    await showImport(this.#store, { ...this.#staged, names }, onTopic);
  }

  /** Nothing of it is ever seen; its rows go in the background. */
  async abandon(): Promise<void> {
    await this.#store.transaction((tx) => abandonImport(tx, this.#staged));
  }
}

/**
 * Brings an import that nobody works on to its end: shown if it had happened, else to be swept. One that is
 * no longer as it was found is left alone. The signal ends it early.
 */
export async function settleImport(
  store: Store,
  left: UnfinishedImport,
  signal?: AbortSignal,
): Promise<void> {
  const { names, state } = left;
  if (names) return await showImport(store, { ...left, names }, () => undefined, signal);
  const isGone = state === 'gone' || (await store.transaction((tx) => abandonImport(tx, left)));
  if (isGone) await inSlices(() => store.transaction((tx) => sweepImportSlice(tx, left)), signal);
}

/** In slices; those that are shown are the owner's, so that it can be gone on with. */
async function showImport(
  store: Store,
  staged: StagedImport & { names: ImportNames },
  onTopic: (topic: Topic) => void,
  signal?: AbortSignal,
): Promise<void> {
  const isShown = await inSlices(async () => {
    const ids = await store.transaction((tx) => showSlice(tx, staged));
    for (const id of ids) {
      const topic = await getTopic(store.db, staged.owner, id);
      if (topic) onTopic(topic);
    }
    await fault('import-shown');
    return ids.length > 0;
  }, signal);
  if (isShown) await removeImport(store.db, staged.id);
}

async function showSlice(tx: Db, staged: StagedImport & { names: ImportNames }): Promise<string[]> {
  const hidden = importedOwner(staged.id, staged.owner);
  const ids = await stagedTopics(tx, staged);
  for (const id of ids) {
    const topic = await getTopic(tx, hidden, id);
    if (topic) await updateTopic(tx, hidden, id, await renamed(tx, staged, topic));
  }
  // Another host may have shown some of them in the meantime, and they may be deleted again.
  if (ids.length > 0)
    await tx
      .updateTable('topics')
      .set({ owner: staged.owner })
      .where('id', 'in', ids)
      .where('owner', '=', hidden)
      .execute();
  return ids;
}

/** The assistant and the servers as they are called here; the default one where the file brought none. */
async function renamed(
  tx: Db,
  { owner, names }: { owner: string; names: ImportNames },
  { assistantId, mcp }: Topic,
): Promise<Pick<Topic, 'assistantId' | 'mcp'>> {
  const assistant = calledHere(names.assistants, assistantId);
  const isHere = (await getAssistant(tx, owner, assistant)) !== undefined;
  return {
    assistantId: isHere ? assistant : 'default',
    ...(mcp && {
      mcp: {
        ...mcp,
        selectedServers: mcp.selectedServers.map((server) => calledHere(names.servers, server)),
      },
    }),
  };
}

function takenForDead(): CeriseError {
  return new CeriseError(
    'conflict',
    say('import-cut')`The import took too long and was cancelled. Nothing was imported.`,
    { hint: say('import-cut-hint')`Import the file again.` },
  );
}
