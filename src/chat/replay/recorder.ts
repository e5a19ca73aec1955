import { toErrorInfo } from '#shared/errors/errors.ts';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelAdapter, ModelRequest } from '#shared/vocabulary/model.ts';
import type { Logger, SecretBox } from '#shared/vocabulary/ports.ts';
import { loadRecordKey } from '#store/configuration/record-key.ts';
import {
  insertRecord,
  listRecords,
  presentParts,
  readParts,
  type RecordedAnswer,
} from '#store/conversations/records.ts';
import type { Store } from '#store/database/store.ts';
import type { Settings } from '../models/settings.ts';
import type { TurnRecord, TurnRecords } from '../turn/turn-records.ts';
import {
  joinRequests,
  type ModelFacts,
  type RecordedRequest,
  sealJson,
  splitRequest,
  type ToolFacts,
} from './recorded-request.ts';

interface RecorderDeps {
  store: Store;
  box: SecretBox;
  settings: Pick<Settings, 'own'>;
  logger: Logger;
  now: () => number;
}

/** Bytes of JSON that can wait to be written; a record beyond that is dropped. */
const mostWaitingBytes = 64 * 1024 * 1024;

/**
 * Records requests to models and their answers, for people who turned this on. A record is written once its request has
 * ended; no answer waits for it, and a record that cannot be written is lost.
 */
export class Recorder implements TurnRecords {
  readonly #deps: RecorderDeps;
  readonly #writing = new Set<Promise<void>>();
  #waitingBytes = 0;
  #key: Promise<Buffer> | undefined;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  async begin(answer: RecordedAnswer): Promise<TurnRecord | undefined> {
    if (!(await this.#isWanted(answer))) return undefined;
    let last = Promise.resolve();
    return recordTurn((recorded) => {
      // One after the other: they are numbered as they are written.
      last = last.then(() => this.#write(answer, recorded));
      this.#writing.add(last);
      const written = last;
      void written.finally(() => this.#writing.delete(written));
    });
  }

  /** The record of an answer, in order. */
  async read({ owner, topicId, answerId }: RecordedAnswer): Promise<RecordedRequest[]> {
    await this.settled();
    const { db } = this.#deps.store;
    const records = await listRecords(db, owner, answerId);
    if (records.length === 0) return [];
    const key = await this.#loadKey();
    const hashes = [...new Set(records.flatMap(({ parts }) => parts))];
    const parts = await readParts(db, topicId, hashes);
    return joinRequests(key, topicId, records, parts);
  }

  /** Resolves when nothing waits to be written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #isWanted(answer: RecordedAnswer): Promise<boolean> {
    const { settings } = this.#deps;
    return settings.own(answer.owner).then(
      ({ recordAnswers = false }) => recordAnswers,
      (error: unknown) => {
        this.#warn(answer, error);
        return false;
      },
    );
  }

  #warn({ answerId }: RecordedAnswer, error: unknown): void {
    const fields = { answerId, ...toErrorInfo(error) };
    this.#deps.logger.warn(fields, 'Could not store the record of an answer');
  }

  async #write(answer: RecordedAnswer, recorded: RecordedRequest): Promise<void> {
    let bytes = 0;
    try {
      const { body, parts } = splitRequest(recorded, answer.topicId);
      const json = JSON.stringify(body);
      bytes = json.length + [...parts.values()].reduce((sum, { length }) => sum + length, 0);
      this.#waitingBytes += bytes;
      if (this.#waitingBytes > mostWaitingBytes) throw new Error('too much waits to be written');
      await this.#store(answer, json, parts);
    } catch (error) {
      this.#warn(answer, error);
    } finally {
      this.#waitingBytes -= bytes;
    }
  }

  async #store(
    answer: RecordedAnswer,
    json: string,
    parts: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { store, now } = this.#deps;
    const { topicId } = answer;
    const key = await this.#loadKey();
    const hashes = [...parts.keys()];
    const present = await presentParts(store.db, topicId, hashes);
    const fresh = [...parts].filter(([hash]) => !present.has(hash));
    const sealed = await Promise.all(
      fresh.map(async ([hash, part]) => [hash, await sealJson(key, topicId, part)] as const),
    );
    const record = { parts: hashes, body: await sealJson(key, topicId, json) };
    await store.transaction(
      (tx) => insertRecord(tx, answer, record, new Map(sealed), now()),
      'relaxed',
    );
  }

  #loadKey(): Promise<Buffer> {
    const { store, box } = this.#deps;
    this.#key ??= loadRecordKey(store.db, box).catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }
}

/** The record of one turn: each request goes to `keep` once it has ended. */
function recordTurn(keep: (recorded: RecordedRequest) => void): TurnRecord {
  let tools: readonly ToolFacts[] = [];
  let isFirst = true;
  return {
    keepTools: (loaded) => (tools = loaded),
    watch: (model) => {
      const facts = factsOf(model);
      const ended: OnEnd = (request, batches, isWhole) => {
        keep({ request, batches, isWhole, ...(isFirst && { turn: { model: facts, tools } }) });
        isFirst = false;
      };
      return { ...facts, stream: (...asked) => recordStream(model, asked, ended) };
    },
  };
}

/** Field by field, since a model may be an instance of a class. */
function factsOf({ vendor, dialect, capabilities, price }: ModelAdapter): ModelFacts {
  return {
    ...(vendor !== undefined && { vendor }),
    ...(dialect && { dialect }),
    ...(capabilities && { capabilities }),
    ...(price && { price }),
  };
}

type OnEnd = (request: ModelRequest, batches: Chunk[][], isWhole: boolean) => void;

/** Passes a stream on and keeps what came, even if the reader leaves before its end. */
async function* recordStream(
  model: ModelAdapter,
  [request, signal]: Parameters<ModelAdapter['stream']>,
  ended: OnEnd,
): AsyncGenerator<Chunk[]> {
  const batches: Chunk[][] = [];
  let isWhole = false;
  try {
    for await (const batch of model.stream(request, signal)) {
      batches.push(batch);
      yield batch;
    }
    isWhole = true;
  } finally {
    ended(request, batches, isWhole && !signal.aborted);
  }
}
