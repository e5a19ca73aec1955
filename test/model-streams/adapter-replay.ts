import { Dispatcher } from 'undici';
import { BlockManager, type BlockStore } from '#chat/topic/block-manager.ts';
import { type RoundResult, StreamProcessor } from '#chat/turn/stream-processor.ts';
import { createAdapter } from '#models/catalog/create-adapter.ts';
import type { EventBody } from '#shared/vocabulary/event.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ModelAdapter, ModelRequest } from '#shared/vocabulary/model.ts';
import { reduceMessage } from '#shared/vocabulary/reduce.ts';
import type { Playback } from '../fakes/vendor-replay.ts';
import { everything } from '../fixtures/model-chunks.ts';

/** A model of a vendor whose network is a function call, for more cuts than sockets can bear. */
export class AdapterReplay {
  readonly #line = new ReplayLine();
  readonly #adapter: ModelAdapter;

  constructor(kind: string) {
    const provider = { name: 'vendor', kind, baseUrl: 'http://vendor.test/v1', apiKey: 'test-key' };
    const options = { dispatcher: this.#line, wait: async () => undefined };
    this.#adapter = createAdapter(provider, 'model-1', everything, options);
  }

  /** How often the vendor was asked. */
  get requests(): number {
    return this.#line.requests;
  }

  /** One round of an answer, ended as a turn ends it that does not go on. */
  async round(playback: Playback): Promise<{ result: RoundResult; answer: Message }> {
    this.#line.playback = playback;
    let answer: Message = { ...emptyAnswer };
    const put = (event: EventBody) => void (answer = reduceMessage(answer, event));
    const live: BlockStore = {
      append: put,
      appendDelta: (messageId, blockId, offset, text) =>
        put({ type: 'block-delta', messageId, blockId, offset, text }),
    };
    const blocks = new BlockManager(live, answer);
    const unknown = { code: 'tool_not_found' as const, message: 'There is no tool.' };
    const none = () => ({ tool: undefined, problem: unknown });
    const processor = new StreamProcessor(blocks, none, 'V');
    for await (const batch of this.#adapter.stream(request, signal)) processor.process(batch);
    const result = processor.finish(false);
    blocks.endAll(result.error ? 'error' : 'success', 'cancelled', {
      state: 'cancelled',
    });
    return { result, answer };
  }
}

const { signal } = new AbortController();
const request: ModelRequest = {
  purpose: 'answer',
  system: '',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Q' }] }],
  tools: [],
  parameters: {},
};
const emptyAnswer: Message = {
  id: 'answer',
  topicId: 'topic',
  parentId: null,
  role: 'assistant',
  status: 'pending',
  createdAt: 1,
  blocks: [],
};

/** Gives the bytes to whoever asks; what a socket would do in several reads takes several turns. */
class ReplayLine extends Dispatcher {
  playback: Playback = { bytes: Buffer.alloc(0) };
  requests = 0;

  override dispatch(
    _options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    this.requests += 1;
    const { bytes, splits = [], cut } = this.playback;
    const end = cut?.at ?? bytes.length;
    const places = [0, ...splits.filter((place) => place < end), end];
    const controller = new QuietController();
    handler.onRequestStart?.(controller, {});
    setImmediate(() => {
      handler.onResponseStart?.(controller, 200, { 'content-type': 'text/event-stream' }, 'OK');
      const read = (index: number) => {
        const piece = bytes.subarray(places[index], places[index + 1]);
        if (piece.length > 0) handler.onResponseData?.(controller, piece);
        if (index + 2 < places.length) setImmediate(read, index + 1);
        else if (cut?.how === 'reset')
          setImmediate(() => handler.onResponseError?.(controller, reset()));
        else handler.onResponseEnd?.(controller, {});
      };
      read(0);
    });
    return true;
  }
}

function reset(): Error {
  return Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
}

/** Nobody is slowed down here; whoever leaves is simply not listening any more. */
class QuietController implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  rawHeaders = null;
  rawTrailers = null;

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }
}
