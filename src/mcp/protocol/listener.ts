import { CeriseError } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { RpcError } from './messages.ts';
import { pause } from './pause.ts';

const firstPauseMs = 1000;
const maxPauseMs = 60_000;
const healthyAfterMs = 60_000;

/** What the listener needs of the connection. */
interface ListenerDeps {
  /** Sends `subscriptions/listen`; resolves when the server ends it, rejects when it breaks. */
  listen(filter: JsonObject, signal: AbortSignal): Promise<unknown>;
  /** What changed while nobody listened cannot be known. */
  onReopened(): void;
  note(text: string): void;
}

/**
 * Keeps one subscription of a modern server open: with the present filter, and again after every end,
 * with growing pauses.
 */
export class Listener {
  readonly #deps: ListenerDeps;
  readonly #lists: JsonObject;
  readonly #resources = new Set<string>();
  readonly #closing = new AbortController();
  #present: AbortController | undefined;
  #running = false;

  /** `lists` are the list changes to hear of. */
  constructor(lists: JsonObject, deps: ListenerDeps) {
    this.#lists = lists;
    this.#deps = deps;
    if (Object.keys(lists).length > 0) this.#start();
  }

  /** Adds or removes a resource to hear of; the subscription is opened again with it. */
  setResource(uri: string, wanted: boolean): void {
    if (wanted === this.#resources.has(uri)) return;
    if (wanted) this.#resources.add(uri);
    else this.#resources.delete(uri);
    this.#present?.abort();
    this.#start();
  }

  close(): void {
    this.#closing.abort();
    this.#present?.abort();
  }

  #start(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#run().finally(() => (this.#running = false));
  }

  async #run(): Promise<void> {
    let time = firstPauseMs;
    let opened = false;
    while (!this.#closing.signal.aborted && this.#wanted()) {
      const present = new AbortController();
      this.#present = present;
      const startedAt = performance.now();
      if (opened) this.#deps.onReopened();
      opened = true;
      const ending = await this.#listenOnce(present.signal);
      if (ending === 'refused') return;
      if (present.signal.aborted) continue;
      time = performance.now() - startedAt > healthyAfterMs ? firstPauseMs : time;
      const jittered = time * (0.75 + Math.random() / 2);
      await pause(jittered, this.#closing.signal);
      time = Math.min(maxPauseMs, time * 2);
    }
  }

  async #listenOnce(signal: AbortSignal): Promise<'ended' | 'refused'> {
    const resourceSubscriptions = [...this.#resources];
    const filter = {
      ...this.#lists,
      ...(resourceSubscriptions.length > 0 && { resourceSubscriptions }),
    };
    try {
      await this.#deps.listen(filter, signal);
      return 'ended';
    } catch (error) {
      if (signal.aborted) return 'ended';
      this.#deps.note(`the subscription ended: ${describe(error)}`);
      return isRefusal(error) ? 'refused' : 'ended';
    }
  }

  #wanted(): boolean {
    return this.#resources.size > 0 || Object.keys(this.#lists).length > 0;
  }
}

/** What the server agreed to send of what we asked for; the rest in words. */
export function missingFromFilter(asked: JsonObject, agreed: unknown): string[] {
  const given = isJsonObject(agreed) ? agreed : {};
  return Object.keys(asked).filter((name) => {
    const wanted = asked[name];
    const got = given[name];
    if (!Array.isArray(wanted)) return got !== true;
    return !Array.isArray(got) || wanted.some((uri) => !got.includes(uri));
  });
}

function isRefusal(error: unknown): boolean {
  if (error instanceof RpcError)
    return error.code === rpcCode.methodNotFound || error.code === rpcCode.invalidParams;
  return error instanceof CeriseError && error.code === 'http_error';
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
