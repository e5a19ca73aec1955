import type { CallLimits } from '../protocol/call-limits.ts';
import type {
  GetPromptResult,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpSkill,
  McpTool,
  ResourceContents,
} from '../results/types.ts';
import { askAgain, askPatiently } from './ask-again.ts';
import { Cached, type Loaded } from './cached.ts';
import type { Connection } from './connection.ts';

const minuteMs = 60_000;
const toolsFreshMs = 5 * minuteMs;
const listFreshMs = 60 * minuteMs;
const readFreshMs = 30 * minuteMs;
const maxReads = 100;

type Reads<T> = Map<string, Cached<T>>;

/** Everyone who wants to hear of changes of one resource. */
interface Subscription {
  listeners: Set<() => void>;
  /** Resolves when the server has accepted it. */
  accepted: Promise<void>;
}

/** What one server offers, as far as it was asked for: lists and resources that were read. */
export class Catalog {
  readonly tools: Cached<McpTool[]>;
  readonly prompts: Cached<McpPrompt[]>;
  readonly resources: Cached<McpResource[]>;
  readonly templates: Cached<McpResourceTemplate[]>;
  readonly skills: Cached<McpSkill[]>;
  readonly #connect: () => Promise<Connection>;
  readonly #reads: Reads<ResourceContents[]> = new Map();
  readonly #promptReads: Reads<GetPromptResult> = new Map();
  readonly #subscriptions = new Map<string, Subscription>();

  /** `connect` gives the open connection or opens one. */
  constructor(connect: () => Promise<Connection>) {
    this.#connect = connect;
    const list = <T>(time: number, load: (connection: Connection) => Promise<Loaded<T>>) =>
      new Cached(time, () => askPatiently(() => askAgain(connect, load)));
    this.tools = list(toolsFreshMs, (connection) => connection.listTools());
    this.prompts = list(listFreshMs, (connection) => connection.listPrompts());
    this.resources = list(listFreshMs, (connection) => connection.listResources());
    this.templates = list(listFreshMs, (connection) => connection.listResourceTemplates());
    this.skills = list(listFreshMs, (connection) => connection.listSkills());
  }

  /** The contents of a resource; at most a hundred are kept. */
  read(uri: string, limits: CallLimits): Promise<ResourceContents[]> {
    return this.#read(this.#reads, uri, (connection) => connection.readResource(uri, limits));
  }

  /** A prompt with its arguments filled in; at most a hundred are kept. */
  prompt(name: string, args: Record<string, string>, limits: CallLimits): Promise<GetPromptResult> {
    const sorted = Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return this.#read(this.#promptReads, JSON.stringify([name, sorted]), async (connection) => ({
      value: await connection.getPrompt(name, args, limits),
    }));
  }

  /** Reads once at a time and key, and keeps what was asked for last. */
  #read<T>(
    reads: Reads<T>,
    key: string,
    load: (connection: Connection) => Promise<Loaded<T>>,
  ): Promise<T> {
    const read = reads.get(key) ?? new Cached(readFreshMs, () => askAgain(this.#connect, load));
    reads.delete(key);
    reads.set(key, read);
    const oldest = reads.keys().next().value;
    if (reads.size > maxReads && oldest !== undefined) reads.delete(oldest);
    return read.get();
  }

  /** Calls back on every change of a resource until the returned function is called. */
  async subscribe(uri: string, onChange: () => void): Promise<() => Promise<void>> {
    const subscription = this.#subscriptions.get(uri) ?? this.#startSubscription(uri);
    const { listeners, accepted } = subscription;
    listeners.add(onChange);
    await accepted;
    return async () => {
      listeners.delete(onChange);
      if (listeners.size > 0 || this.#subscriptions.get(uri) !== subscription) return;
      this.#subscriptions.delete(uri);
      await this.#subscribe(uri, false);
    };
  }

  /** One that the server refuses is over for everyone who waits for it; the next to come asks again. */
  #startSubscription(uri: string): Subscription {
    const subscription = { listeners: new Set<() => void>(), accepted: this.#subscribe(uri, true) };
    this.#subscriptions.set(uri, subscription);
    subscription.accepted.catch(() => this.#subscriptions.delete(uri));
    return subscription;
  }

  #subscribe(uri: string, wanted: boolean): Promise<void> {
    return askAgain(this.#connect, (connection) => connection.subscribe(uri, wanted));
  }

  changed(list: 'tools' | 'prompts' | 'resources'): void {
    this[list].invalidate();
    if (list === 'prompts') this.#promptReads.clear();
    if (list !== 'resources') return;
    this.templates.invalidate();
    this.skills.invalidate();
  }

  updated(uri: string): void {
    this.#reads.get(uri)?.invalidate();
    for (const onChange of this.#subscriptions.get(uri)?.listeners ?? []) onChange();
  }

  /** A new connection knows nothing of what was subscribed on the old one. */
  async connected(connection: Connection): Promise<void> {
    for (const [uri, { listeners }] of this.#subscriptions) {
      await connection.subscribe(uri, true);
      for (const onChange of listeners) onChange();
    }
  }

  /** Lists may have changed while nobody was connected. */
  disconnected(): void {
    for (const list of this.#lists()) list.invalidate();
    this.#reads.clear();
    this.#promptReads.clear();
  }

  reset(): void {
    for (const list of this.#lists()) list.reset();
    this.#reads.clear();
    this.#promptReads.clear();
  }

  #lists(): Cached<unknown>[] {
    return [this.tools, this.prompts, this.resources, this.templates, this.skills];
  }

  /** Milliseconds since each list was loaded. */
  ages(): Record<string, number> {
    const { tools, prompts, resources, templates, skills } = this;
    const lists = Object.entries({ tools, prompts, resources, templates, skills });
    return Object.fromEntries(
      lists.flatMap(([name, { age }]) => (age === undefined ? [] : [[name, age]])),
    );
  }
}
