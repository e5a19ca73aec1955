import { newKey } from '#client/http/key.ts';
import type { Event, HostEvent } from '#shared/vocabulary/event.ts';
import type { ToHub, ToTab } from '../hub-protocol.ts';
import { openHubPort, type HubPort } from './hub-port.ts';

interface HostHandlers {
  /** The line is up: whatever has no history must be read anew. */
  onOpen: () => void;
  onDown: () => void;
  onEvent: (event: HostEvent) => void;
  onSignedOut: () => void;
}

interface TopicHandlers {
  /** It may be one that was seen before; none is left out. */
  onEvent: (event: Event) => void;
  onGone: () => void;
}

interface Followed extends TopicHandlers {
  /** The last event that was handed over. */
  seq: number;
  /** An event is missing, and the hub was asked for it. */
  isBehind: boolean;
}

const hiddenMs = 30_000;

/**
 * This tab's end of the browser's one stream. It hears of the host for as long as the tab is there, so that
 * its title and notifications are true; it follows topics while it is in sight, and shortly after.
 */
class Link {
  readonly #topics = new Map<string, Followed>();
  #host: HostHandlers | undefined;
  #port: HubPort | undefined;
  #attached = false;
  /** Out of sight for long: it follows no topic. */
  #resting = false;
  #letGo = () => {};
  #hiddenTimer: ReturnType<typeof setTimeout> | undefined;

  /** Takes part until the returned function is called. */
  open(handlers: HostHandlers): () => void {
    this.#host = handlers;
    this.#port ??= openHubPort((message) => this.#receive(message));
    const stop = new AbortController();
    const options = { signal: stop.signal };
    document.addEventListener('visibilitychange', () => this.#onVisibility(), options);
    window.addEventListener('online', () => this.#say({ type: 'wake' }), options);
    window.addEventListener('pagehide', () => this.#detach(), options);
    window.addEventListener('pageshow', () => this.#attach(), options);
    this.#attach();
    if (document.hidden) this.#onVisibility();
    return () => {
      stop.abort();
      this.#detach();
      this.#host = undefined;
    };
  }

  follow(topicId: string, after: number, handlers: TopicHandlers): () => void {
    const followed = { ...handlers, seq: after, isBehind: false };
    this.#topics.set(topicId, followed);
    if (this.#follows()) this.#say({ type: 'follow', topicId, after });
    return () => {
      if (this.#topics.get(topicId) !== followed) return;
      this.#topics.delete(topicId);
      if (this.#follows()) this.#say({ type: 'unfollow', topicId });
    };
  }

  #attach(): void {
    clearTimeout(this.#hiddenTimer);
    if (this.#attached || !this.#host) return;
    this.#attached = true;
    this.#resting = false;
    const lock = `cerise-tab-${newKey()}`;
    let isLeft = false;
    const begin = (held: boolean) => {
      if (isLeft) return;
      const topics = [...this.#topics].map(([topicId, { seq }]) => ({ topicId, after: seq }));
      this.#say({ type: 'attach', topics, ...(held && { lock }) });
    };
    // Without a secure address there are no locks: then only what a tab says counts.
    if (!('locks' in navigator)) return begin(false);
    const { promise: released, resolve } = Promise.withResolvers<void>();
    this.#letGo = () => {
      isLeft = true;
      resolve();
    };
    const hold = () => {
      begin(true);
      return released;
    };
    navigator.locks.request(lock, hold).catch(console.error);
  }

  /** A tab that does not take part holds nothing, so that the browser may put it to sleep. */
  #detach(): void {
    clearTimeout(this.#hiddenTimer);
    if (!this.#attached) return;
    this.#attached = false;
    this.#say({ type: 'detach' });
    this.#letGo();
  }

  #onVisibility(): void {
    clearTimeout(this.#hiddenTimer);
    if (document.hidden) this.#hiddenTimer = setTimeout(() => this.#rest(), hiddenMs);
    else if (!this.#attached) this.#attach();
    else {
      this.#goOn();
      this.#say({ type: 'wake' });
    }
  }

  #rest(): void {
    if (!this.#follows()) return;
    this.#resting = true;
    for (const topicId of this.#topics.keys()) this.#say({ type: 'unfollow', topicId });
  }

  #goOn(): void {
    if (!this.#resting) return;
    this.#resting = false;
    for (const [topicId, { seq }] of this.#topics)
      this.#say({ type: 'follow', topicId, after: seq });
  }

  #follows(): boolean {
    return this.#attached && !this.#resting;
  }

  #say(message: ToHub): void {
    this.#port?.post(message);
  }

  #receive(message: ToTab): void {
    if (!this.#attached) return;
    switch (message.type) {
      case 'welcome':
        return;
      case 'open':
        return this.#host?.onOpen();
      case 'down':
        return this.#host?.onDown();
      case 'host':
        return this.#host?.onEvent(message.event);
      case 'topic':
        return this.#receiveOf(message.topicId, JSON.parse(message.data) as Event);
      case 'gone':
        return this.#topics.get(message.topicId)?.onGone();
      case 'signed-out':
        this.#attached = false;
        this.#letGo();
        return this.#host?.onSignedOut();
    }
  }

  /** Tabs share a place in the topic, and one may have been further: what is missing is asked for again. */
  #receiveOf(topicId: string, event: Event): void {
    const followed = this.#topics.get(topicId);
    if (!followed) return;
    const { seq } = event;
    if (seq !== undefined) {
      const isMissing = event.type !== 'snapshot' && seq > followed.seq + 1;
      if (isMissing && !followed.isBehind)
        this.#say({ type: 'follow', topicId, after: followed.seq });
      followed.isBehind = isMissing;
      if (isMissing) return;
      followed.seq = event.type === 'snapshot' ? seq : Math.max(followed.seq, seq);
    }
    followed.onEvent(event);
  }
}

const link = new Link();

/** Follows the host's events over the stream that all tabs share, until the returned function is called. */
export function openLink(handlers: HostHandlers): () => void {
  return link.open(handlers);
}

/** Follows a topic after an event over the same stream; taken up again by itself after any break. */
export function followTopic(topicId: string, after: number, handlers: TopicHandlers): () => void {
  return link.follow(topicId, after, handlers);
}
