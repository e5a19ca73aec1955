import type { ImportQuery, ImportResult, StorageView } from '#shared/api/data-api.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import type { Blobs } from '#store/blobs/blobs.ts';
import { topicIdsAfter } from '#store/conversations/exports.ts';
import { pathTo } from '#store/conversations/messages.ts';
import type { Remember } from '../cluster/idempotency.ts';
import type { Topics } from '../conversations/topics.ts';
import { readOpenTopic, withOpenAnswers } from '../topic/open-topic.ts';
import { topicNotFound } from '../topic/topic-not-found.ts';
import { DirectCallRecords } from './direct-call-records.ts';
import { exportAll, type ExportDeps, exportTopic } from './export-data.ts';
import { DataImport, type ImportDeps, tryImport } from './import-data.ts';
import { type ForkDeps, forkTopic } from './fork-topic.ts';
import { ImportFile } from './import-file.ts';
import type { Quota } from './quota.ts';
import type { Sweeper } from './sweeper.ts';
import { topicMarkdown } from './topic-markdown.ts';

interface DataDeps extends ExportDeps, ImportDeps, ForkDeps {
  blobs: Blobs;
  sweeper: Pick<Sweeper, 'sweep' | 'collect'>;
  settings: ExportDeps['settings'] & ImportDeps['settings'];
  topics: Pick<Topics, 'delete'>;
  quota: Pick<Quota, 'storage' | 'receive' | 'requireRoomNow'>;
  /** The data folder; what is imported passes through it. */
  home: string;
}

/** What a person does with all their data: see how much it is, take it along, bring it back, delete it. */
export class Data {
  /** Calls outside of any conversation. */
  readonly calls: DirectCallRecords;
  readonly #deps: DataDeps;

  constructor(deps: DataDeps) {
    this.#deps = deps;
    this.calls = new DirectCallRecords(deps);
  }

  async storage(owner: string): Promise<StorageView> {
    return this.#deps.quota.storage(owner);
  }

  /** The lines of an export file. */
  export(owner: string): AsyncGenerator<string> {
    return exportAll(this.#deps, owner);
  }

  /** The same for one topic. */
  exportTopic(owner: string, topicId: string): AsyncGenerator<string> {
    return exportTopic(this.#deps, owner, topicId);
  }

  /** The branch of a topic that is shown, as Markdown. */
  async topicMarkdown(owner: string, topicId: string): Promise<string> {
    const { store } = this.#deps;
    const read = await readOpenTopic(store, owner, topicId);
    if (!read) throw topicNotFound();
    const { activeLeafId } = read.topic;
    const path = activeLeafId ? await pathTo(store.db, topicId, activeLeafId) : [];
    return topicMarkdown(read.topic, withOpenAnswers(path, read));
  }

  /**
   * Brings in an export file, or only says what that would be. The whole file is looked at before the
   * first change; then all of it comes in, or nothing.
   */
  async import(
    owner: string,
    source: AsyncIterable<Uint8Array>,
    query: ImportQuery,
    announced = 0,
  ): Promise<ImportResult> {
    return await this.#deps.quota.receive(owner, announced, (bounded) =>
      this.#import(owner, bounded(source), query),
    );
  }

  async #import(
    owner: string,
    source: AsyncIterable<Uint8Array>,
    query: ImportQuery,
  ): Promise<ImportResult> {
    const { store, quota, home, limits } = this.#deps;
    const file = await ImportFile.receive(home, source, limits);
    try {
      const expected = await tryImport(this.#deps, owner, file, query);
      if (query.dryRun === '1') return expected;
      // One after the other, so that each sees what the one before brought in.
      return await store.exclusive(`import ${owner}`, async () => {
        await quota.requireRoomNow(owner, file.size);
        return await new DataImport(this.#deps, owner, query.existing).run(file.read());
      });
    } finally {
      await file.close();
    }
  }

  /** Makes a new topic of the branch that ends in a message; one copy after the other. */
  async fork(owner: string, messageId: string, remember?: Remember<Topic>): Promise<Topic> {
    return await this.#deps.store.exclusive(`fork ${owner}`, () =>
      forkTopic(this.#deps, owner, messageId, remember),
    );
  }

  /** Deletes every topic, one after the other; what runs in them is stopped. How many there were. */
  async deleteTopics(owner: string): Promise<number> {
    const { store, topics } = this.#deps;
    let deleted = 0;
    for (;;) {
      const ids = await topicIdsAfter(store.db, owner, '', 100);
      if (ids.length === 0) return deleted;
      for (const id of ids) await topics.delete(owner, id);
      deleted += ids.length;
    }
  }
}
