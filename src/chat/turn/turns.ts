import { setTimeout } from 'node:timers/promises';
import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { fault } from '#shared/errors/fault.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { shutdownReason } from '#shared/vocabulary/tool.ts';
import { parkAnswers } from '#store/conversations/leases.ts';
import type { LiveTopic } from '../topic/live-topic.ts';
import { HeldElsewhere, type LiveTopics } from '../topic/live-topics.ts';
import { runTranslation, type TranslationRequest } from './run-translation.ts';
import { type AnswerRequest, runTurn, type TurnDeps } from './run-turn.ts';
import type { TurnContext } from './open-turn.ts';

interface Queued {
  /** An answer, or a message that is to be translated. */
  answerId: string;
  request: AnswerRequest | TranslationRequest;
  /** True if it continues the answer before it: that one then ends at its next round boundary. */
  steers: boolean;
  known?: TurnContext | undefined;
}

interface Lane {
  key: string;
  live: LiveTopic;
  running: Queued;
  controller: AbortController;
  queue: Queued[];
  done: Promise<void>;
}

/** Runs answers: one at a time in a topic, any number of topics at once; translations beside them. */
export class Turns {
  readonly #deps: TurnDeps;
  readonly #live: LiveTopics;
  readonly #logger: Logger;
  readonly #onEnd: (live: LiveTopic, answer: Message) => Promise<void>;
  readonly #lanes = new Map<string, Lane>();
  readonly #followUps = new Set<Promise<void>>();
  #closing = false;

  constructor(deps: {
    deps: TurnDeps;
    live: LiveTopics;
    logger: Logger;
    onEnd: (live: LiveTopic, answer: Message) => Promise<void>;
  }) {
    this.#deps = deps.deps;
    this.#live = deps.live;
    this.#logger = deps.logger;
    this.#onEnd = deps.onEnd;
  }

  /** How many answers run, wait for a person, and wait for the one before them. */
  get load(): { running: number; waiting: number; queued: number } {
    const lanes = [...this.#lanes.values()];
    const waiting = lanes.filter(
      ({ live, running }) => live.message(running.answerId)?.status === 'waiting',
    ).length;
    const queued = lanes.reduce((sum, { queue }) => sum + queue.length, 0);
    return { running: lanes.length - waiting, waiting, queued };
  }

  /** Throws once no answer may begin any more here: `shutting_down`, or that another host has to. */
  checkOpen(topicId: string): void {
    if (!this.#closing) return;
    if (this.#live.isShared) throw new HeldElsewhere(topicId);
    throw new CeriseError('shutting_down', say('shutting-down')`Cerise is shutting down.`);
  }

  /** Starts an answer that is committed, or lines it up behind the one that runs. */
  start(live: LiveTopic, queued: Queued): void {
    const topicId = live.id;
    const key = isTranslation(queued.request) ? queued.answerId : topicId;
    const lane = this.#lanes.get(key);
    // By the time its turn comes, it may not be so any more.
    if (lane) return void lane.queue.push({ ...queued, known: undefined });
    this.#live.retain(topicId);
    const fresh: Lane = {
      key,
      live,
      running: queued,
      controller: new AbortController(),
      queue: [],
      done: Promise.resolve(),
    };
    this.#lanes.set(key, fresh);
    fresh.done = this.#runLane(fresh).finally(() => this.#live.release(topicId));
  }

  /** Stops an answer that runs or waits its turn; false if it does neither. */
  async stop(answerId: string): Promise<boolean> {
    for (const lane of this.#lanes.values()) {
      if (lane.running.answerId === answerId) {
        lane.controller.abort();
        return true;
      }
      const place = lane.queue.findIndex((queued) => queued.answerId === answerId);
      if (place < 0) continue;
      lane.queue.splice(place, 1);
      const at = this.#deps.now();
      await lane.live.finish({ type: 'message-end', messageId: answerId, status: 'stopped', at });
      return true;
    }
    return false;
  }

  /** Gives up answers that have waited for a person since before a time; any host can go on with them. */
  async parkWaiting(before: number): Promise<void> {
    for (const lane of this.#lanes.values()) {
      const waitsForLong = () => {
        const answer = lane.live.message(lane.running.answerId);
        const isLong = answer?.status === 'waiting' && (answer.waiting?.since ?? before) < before;
        return isLong && lane.queue.length === 0;
      };
      if (!waitsForLong()) continue;
      // In line with decisions: one that was committed a moment ago is not given up any more.
      let isParked = false;
      await lane.live.commit({
        events: [],
        rows: async (tx) => {
          isParked = waitsForLong();
          if (isParked) await parkAnswers(tx, lane.live.id);
        },
        committed: () => isParked && lane.controller.abort(shutdownReason),
      });
    }
  }

  /** Another host goes on with what runs in this topic: here it ends without a trace. */
  abandon(live: LiveTopic): void {
    for (const lane of this.#lanes.values()) {
      if (lane.live !== live) continue;
      lane.queue.length = 0;
      lane.controller.abort(shutdownReason);
    }
  }

  /** Stops everything in a topic and resolves when nothing of it runs any more. */
  async stopTopic(topicId: string): Promise<void> {
    const lanes = [...this.#lanes.values()].filter(({ live }) => live.id === topicId);
    for (const lane of lanes) {
      lane.queue.length = 0;
      lane.controller.abort();
    }
    await Promise.all(lanes.map(({ done }) => done));
  }

  /** Lets answers end for `grace` milliseconds; the others stay open and go on at the next start. */
  async close(grace: number): Promise<void> {
    this.#closing = true;
    const done = Promise.all([...this.#lanes.values()].map((lane) => lane.done));
    const deadline = performance.now() + grace;
    while (performance.now() < deadline && this.#hasBusyLane())
      await Promise.race([done, setTimeout(50)]);
    for (const lane of this.#lanes.values()) {
      lane.queue.length = 0;
      lane.controller.abort(shutdownReason);
    }
    await done;
    await Promise.race([Promise.all(this.#followUps), setTimeout(1000, undefined, { ref: false })]);
  }

  /** An answer that waits for a person can as well wait for the next start. */
  #hasBusyLane(): boolean {
    return [...this.#lanes.values()].some(
      ({ live, running }) => live.message(running.answerId)?.status !== 'waiting',
    );
  }

  /** What comes after an answer keeps nobody waiting, but the topic stays live for it. */
  #followUp(live: LiveTopic, answer: Message): void {
    const work = this.#live
      .use(live.owner, live.id, (held) => this.#onEnd(held, answer))
      .catch((error: unknown) =>
        this.#logger.warn(toErrorInfo(error), 'Work after an answer failed'),
      )
      .finally(() => this.#followUps.delete(work));
    this.#followUps.add(work);
  }

  async #runLane(lane: Lane): Promise<void> {
    for (;;) {
      await this.#runOne(lane);
      const next = lane.queue.shift();
      if (!next) break;
      lane.running = next;
      lane.controller = new AbortController();
    }
    if (this.#lanes.get(lane.key) === lane) this.#lanes.delete(lane.key);
  }

  async #runOne(lane: Lane): Promise<void> {
    const { live, running, controller } = lane;
    const { answerId, request, known } = running;
    const { signal } = controller;
    try {
      if (isTranslation(request))
        return await runTranslation(this.#deps, { live, messageId: answerId, request, signal });
      const answer = await runTurn(this.#deps, {
        live,
        answerId,
        request,
        known,
        signal,
        mustYield: () => lane.queue.some(({ steers }) => steers),
      });
      await fault('answer-ended');
      if (answer) this.#followUp(live, answer);
    } catch (error) {
      this.#logger.error({ answerId, ...toErrorInfo(error) }, 'Could not finish an answer');
    }
  }
}

function isTranslation(request: AnswerRequest | TranslationRequest): request is TranslationRequest {
  return 'translation' in request;
}
