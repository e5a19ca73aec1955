/**
 * Hands what one producer pushes to one consumer in batches: everything pushed in one macrotask is
 * one array. `room` is a promise while the buffer is full; a producer that awaits it is slowed down.
 */
export interface BatchQueue<T> extends AsyncIterable<T[]> {
  push(item: T): void;
  end(): void;
  readonly room: Promise<void> | undefined;
}

interface BatchQueueOptions {
  /** How many items may wait before `room` asks the producer to pause. */
  limit: number;
  /** Called once, when the consumer first asks. */
  onStart(): void;
  /** Called when the consumer leaves early. */
  onReturn(): void;
}

const due: (() => void)[] = [];

/** One immediate for all queues: hundreds of answers may have got something in the same macrotask. */
function atEndOfTask(deliver: () => void): void {
  if (due.length === 0) setImmediate(deliverAll);
  due.push(deliver);
}

function deliverAll(): void {
  for (const deliver of due.splice(0)) deliver();
}

/** An empty queue; the producer is started by the consumer's first request. */
export function createBatchQueue<T>(options: BatchQueueOptions): BatchQueue<T> {
  let items: T[] = [];
  let started = false;
  let ended = false;
  let scheduled = false;
  let waiting: ((result: IteratorResult<T[]>) => void) | undefined;
  let room: PromiseWithResolvers<void> | undefined;

  function take(): IteratorResult<T[]> {
    if (items.length === 0) return { done: true, value: undefined };
    const value = items;
    items = [];
    room?.resolve();
    room = undefined;
    return { done: false, value };
  }

  function deliver(): void {
    scheduled = false;
    const resolve = waiting;
    waiting = undefined;
    resolve?.(take());
  }

  function schedule(): void {
    if (!waiting || scheduled) return;
    scheduled = true;
    atEndOfTask(deliver);
  }

  function next(): Promise<IteratorResult<T[]>> {
    if (!started) {
      started = true;
      options.onStart();
    }
    if (items.length > 0 || ended) return Promise.resolve(take());
    return new Promise((resolve) => {
      waiting = resolve;
    });
  }

  function leave(): Promise<IteratorResult<T[]>> {
    if (!ended) options.onReturn();
    started = true;
    ended = true;
    take();
    return Promise.resolve({ done: true, value: undefined });
  }

  return {
    push(item) {
      if (ended) return;
      items.push(item);
      schedule();
    },
    end() {
      ended = true;
      schedule();
    },
    get room() {
      if (items.length < options.limit) return undefined;
      room ??= Promise.withResolvers<void>();
      return room.promise;
    },
    [Symbol.asyncIterator]: () => ({ next, return: leave }),
  };
}
