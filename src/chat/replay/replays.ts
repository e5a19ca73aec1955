import type { Replay } from '#shared/api/topic-api.ts';
import { Limiter } from '#shared/async/limiter.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import { isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import type { BlobPort } from '#shared/vocabulary/ports.ts';
import { filesOf } from '#store/conversations/delete-messages.ts';
import { getMessage, getRequest, pathTo } from '#store/conversations/messages.ts';
import { getTopic } from '#store/conversations/topics.ts';
import type { Store } from '#store/database/store.ts';
import { RunningCalls } from '../calls/running-calls.ts';
import type { ToolDeps } from '../calls/run-tools.ts';
import { RecordedCalls } from '../turn/recorded-calls.ts';
import { type AnswerRequest, runTurn } from '../turn/run-turn.ts';
import { differentBlocks, differentRequests, withIds } from './differences.ts';
import { PlayedModel } from './played-model.ts';
import type { RecordedRequest } from './recorded-request.ts';
import type { Recorder } from './recorder.ts';
import { scratchBlobs } from './scratch-blobs.ts';
import { inScratch, type ScratchTopic } from './scratch-topic.ts';

interface ReplaysDeps {
  store: Store;
  blobs: BlobPort;
  limits: Limits;
  recorder: Pick<Recorder, 'read' | 'settled'>;
  now: () => number;
}

/** Makes answers again from their records: no model and no tool is called. */
export class Replays {
  readonly #deps: ReplaysDeps;
  readonly #running: Limiter;

  constructor(deps: ReplaysDeps) {
    this.#deps = deps;
    this.#running = new Limiter(deps.limits.replaysAtOnce);
  }

  /**
   * Makes an answer again in memory and reports the differences. Throws `answer_not_found`, `conflict` for a running
   * answer, `record_not_found` if nothing was recorded, `too_many_requests` if too many replays run.
   */
  async replay(owner: string, answerId: string): Promise<Replay> {
    if (!this.#running.tryAcquire(owner)) throw tooMany(this.#deps.limits.replaysAtOnce);
    try {
      return await this.#replay(owner, answerId);
    } finally {
      this.#running.release(owner);
    }
  }

  async #replay(owner: string, answerId: string): Promise<Replay> {
    const { store, recorder } = this.#deps;
    const answer = await getMessage(store.db, owner, answerId);
    if (answer?.role !== 'assistant')
      throw new CeriseError('answer_not_found', say('answer-gone')`This answer doesn't exist.`);
    if (isMessageRunning(answer))
      throw new CeriseError('conflict', say('answer-being-written')`This answer is still running.`);
    const { topicId } = answer;
    const recorded = await recorder.read({ owner, topicId, answerId });
    if (recorded.length === 0) throw noRecord();
    const { requests, blocks, sameBytes } = await this.#again(owner, answer, recorded);
    const differences = [
      ...(await differentRequests(
        await withIds(
          recorded.map(({ request }) => request),
          oneIdFor(sameBytes),
        ),
        await withIds(requests, recordedIds(answer.blocks, blocks)),
      )),
      ...differentBlocks(answer.blocks, blocks),
    ];
    return { requests: recorded.length, blocks: answer.blocks.length, differences };
  }

  /** The record of an answer. */
  async read(owner: string, answerId: string): Promise<RecordedRequest[]> {
    const { store, recorder } = this.#deps;
    const answer = await getMessage(store.db, owner, answerId);
    return answer ? recorder.read({ owner, topicId: answer.topicId, answerId }) : [];
  }

  /** Resolves when nothing that was recorded waits to be written. */
  settled(): Promise<void> {
    return this.#deps.recorder.settled();
  }

  async #again(owner: string, answer: Message, recorded: readonly RecordedRequest[]) {
    const { store, blobs, limits } = this.#deps;
    const { id, topicId } = answer;
    const topic = await getTopic(store.db, owner, topicId);
    const path = await pathTo(store.db, topicId, id);
    if (!topic) throw noRecord();
    const request = (await getRequest(store.db, id)) as AnswerRequest;
    const open: Message = { ...newOf(answer), blocks: [] };
    const branch = { owner, topic, path: [...path.slice(0, -1), open], request };
    const scratch = await scratchBlobs(blobs, owner, await filesOf(store.db, [id]));
    const made = await inScratch(branch, limits, (place) =>
      this.#run(place, { answer, request, recorded, blobs: scratch }),
    );
    return { ...made, sameBytes: scratch.sameBytes };
  }

  /** The same loop as for any turn, with the record in place of models and tools. */
  async #run(
    { store, live }: ScratchTopic,
    {
      answer,
      request,
      recorded,
      blobs,
    }: {
      answer: Message;
      request: AnswerRequest;
      recorded: readonly RecordedRequest[];
      blobs: BlobPort;
    },
  ) {
    const { limits, now } = this.#deps;
    const stop = new AbortController();
    const onStopped = () => stop.abort();
    const model = new PlayedModel(recorded, onStopped);
    const stopped = answer.status === 'stopped' && { onStopped };
    const calls = new RecordedCalls(answer.blocks, { blobs, owner: live.owner, ...stopped });
    const tools = recorded[0]?.turn?.tools ?? [];
    const registry = calls.toolsOf(tools.map((tool) => ({ ...tool, execute: neverRuns })));
    const { caller: _, recordedIn: __, ...asked } = request;
    const deps = {
      ...standIns(calls, limits),
      store,
      blobs,
      limits,
      now,
      resolveModel: async () => model.adapter,
      loadTools: async () => registry,
    };
    const turn = { live, answerId: answer.id, request: asked, signal: stop.signal };
    const ended = await runTurn(deps, { ...turn, mustYield: () => model.isAtEnd });
    return { requests: model.requests, blocks: ended?.blocks ?? [] };
  }
}

/** Stands in for policy and provenance: each call was judged when it was first made. */
function standIns(
  calls: RecordedCalls,
  limits: Limits,
): Pick<ToolDeps, 'approvals' | 'origins' | 'limiter' | 'running'> {
  return {
    limiter: new Limiter(limits.parallelCallsPerServer),
    running: new RunningCalls(),
    approvals: {
      policy: async () => ({ action: 'allow', rule: '' }),
      refusal: async () => undefined,
      wait: neverRuns,
      get: neverRuns,
    },
    origins: {
      before: async () => [],
      sending: async () => undefined,
      received: async ({ id }, _tool, { result }) => {
        const block = calls.of(id);
        const own = result?.origins ?? block?.result?.origins ?? [];
        return own.length === 0 && block?.untrusted ? [{ from: 'unknown' }] : own;
      },
    },
  };
}

/** Models see our ids of calls, which every run makes anew: they are replaced with those of the record. */
function recordedIds(recorded: readonly Block[], replayed: readonly Block[]): Map<string, string> {
  const places = new Map(recorded.map((block) => [block.ordinal, block]));
  const ids = replayed.flatMap((block) => {
    const same = places.get(block.ordinal);
    const areCalls = block.type === 'tool' && same?.type === 'tool';
    return areCalls ? [[block.toolCallId, same.toolCallId] as const] : [];
  });
  return new Map(ids);
}

/** One id for bytes that were stored several times: which of them comes first is a matter of timing. */
function oneIdFor(sameBytes: ReadonlyMap<string, readonly string[]>): Map<string, string> {
  return new Map([...sameBytes].flatMap(([first, ids]) => ids.map((id) => [id, first] as const)));
}

function neverRuns(): Promise<never> {
  return Promise.reject(new Error('nothing runs in a replay'));
}

/** The answer as it was before its first round. */
function newOf({ endedAt: _, usage: __, ...answer }: Message): Message {
  return { ...answer, status: 'pending' };
}

function tooMany(most: number): CeriseError {
  return new CeriseError(
    'too_many_requests',
    say('replays-at-once')`Each user can replay up to ${most} answers at the same time.`,
    { hint: say('again-in-a-moment')`Try again in a moment.` },
  );
}

function noRecord(): CeriseError {
  return new CeriseError('record_not_found', say('no-record')`There's no record of this answer.`, {
    hint: say(
      'no-record-hint',
    )`Enable “Record answers” in Settings → Data, then ask again. Records are kept for a limited time.`,
  });
}
