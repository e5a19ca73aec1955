import type { HostEvent } from '#shared/vocabulary/event.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import type { ToolCallRecord } from '#store/calls/tool-calls.ts';
import type { LiveTopic } from './live-topic.ts';
import type { OpenAnswer } from './open-topic.ts';

/** What the parts of a host tell each other, and what comes with it. */
interface SignalKinds {
  /** A topic was made live: answers that are open in it are to go on. */
  'topic-opened': { live: LiveTopic; answers: OpenAnswer[] };
  /** Another host writes a topic by now. */
  'topic-lost': { live: LiveTopic };
  /** Calls of an owner may be judged differently from now on. */
  'rules-changed': { owner: string };
  /** A call outside of any topic was approved; nobody waits for it. */
  'call-approved': { record: ToolCallRecord; tool: Tool | undefined };
  /** Somebody's role is another one, or they are gone: what is in memory of them is not true any more. */
  'role-changed': { owner: string };
  /** Somebody is being removed: what they have that is more than rows ends before the rows go. */
  'person-leaving': { owner: string; signal: AbortSignal | undefined };

  /** A server said of its own accord that a list of it changed, or wrote a log message. */
  'server-said': { serverId: string } & (
    | { kind: 'list'; list: 'tools' | 'prompts' | 'resources' }
    | { kind: 'log'; level: string; text: string }
  );

  /** For other hosts: something that all keep in memory was changed here. */
  'tell-changed': object;
  /** For other hosts: a command was accepted for a topic that one of them holds. */
  'tell-command': { topicId: string };
  /** For other hosts: a call outside of any topic is to be stopped. */
  'tell-stop': object;
  /** For other hosts: what people who listen there should hear. */
  'tell-event': { owner: string; event: HostEvent };
  /** Another host has said each of these. */
  'heard-changed': object;
  'heard-stop': object;
  'heard-event': { event: HostEvent };
}

type Kind = keyof SignalKinds;
type Listener<K extends Kind> = (news: SignalKinds[K]) => unknown;

/** The one place through which parts of a host hear of each other; senders do not know who listens. */
export class Signals {
  readonly #listeners = new Map<Kind, Listener<never>[]>();

  on<K extends Kind>(kind: K, listener: Listener<K>): void {
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), listener]);
  }

  /** Resolves when every listener, one after the other, is done; the first is called at once. */
  async tell<K extends Kind>(kind: K, news: SignalKinds[K]): Promise<void> {
    for (const listener of this.#listeners.get(kind) ?? []) await (listener as Listener<K>)(news);
  }
}
