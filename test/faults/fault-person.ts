import { setTimeout } from 'node:timers/promises';
import type { InputView } from '#shared/api/input-api.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { type Conversation, isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import { ClientState, readFrames } from '../fixtures/sse-reader.ts';
import { errorIn, illegalities } from '../legal-conversation.ts';
import type { FaultHost } from './fault-host.ts';
import { calledTools, type FaultWorld } from './fault-world.ts';

const retryEvery = 100;

/** Where a person's requests go; where hosts share a database they may go to different ones. */
export interface Doors {
  /** Shows the topic and takes the message. */
  main: FaultHost;
  /** Takes decisions and answers to questions. */
  decisions?: FaultHost;
}

/**
 * A person with one topic and one question: sends it, watches, approves what is asked and answers what
 * servers ask, on one host after the other. Repeats what failed, and remembers what was acknowledged.
 */
export class FaultPerson {
  readonly key: string;
  readonly client = new ClientState();
  readonly #world: FaultWorld;
  readonly #topicId: string;
  /** Calls that a person tried to approve, by the name of their effect. */
  readonly #approved = new Map<string, Set<string>>();
  readonly #busy = new Set<string>();
  #lostKeys = 0;
  #acknowledged: { userMessageId: string; answerId: string } | undefined;
  readonly #found: string[] = [];
  /** Until this resolves nothing is approved. */
  holdBack: Promise<unknown> = Promise.resolve();

  constructor(world: FaultWorld, topicId: string, key: string) {
    this.#world = world;
    this.#topicId = topicId;
    this.key = key;
  }

  /** Goes on until the answer has ended, the host is dead, or the signal says that it took too long. */
  async use(doors: Doors, signal: AbortSignal): Promise<'ended' | 'cut'> {
    this.#busy.clear();
    const [isSaid, seen] = await Promise.all([
      this.#say(doors.main, `go ${this.key}`, signal),
      this.#watch(doors, signal, hasEnded(`go ${this.key}`)),
    ]);
    return seen === 'done' && isSaid ? 'ended' : 'cut';
  }

  /** Whether a call waits for this person. */
  async untilAsked(doors: Doors, signal: AbortSignal): Promise<void> {
    this.holdBack = new Promise(() => undefined);
    const isAsked = ({ messages }: Conversation) => messages.at(-1)?.status === 'waiting';
    await Promise.all([
      this.#say(doors.main, `go ${this.key}`, signal),
      this.#watch(doors, signal, isAsked),
    ]);
    this.holdBack = Promise.resolve();
  }

  /** Where it stands, for a case that does not come to its end. */
  describe(): string {
    const messages = this.client.conversation?.messages.map(({ role, status, blocks }) => {
      const states = blocks.map((block) => ('state' in block ? block.state : block.status));
      return `${role} ${status} [${states.join(', ')}]`;
    });
    return `${this.#acknowledged ? 'acknowledged' : 'not acknowledged'}; ${messages?.join('; ')}`;
  }

  /** Everything that is wrong with the end, as sentences. */
  async judge(host: FaultHost, signal: AbortSignal): Promise<string[]> {
    const found = [...this.#found, ...this.client.problems];
    await this.#sayAgain(host, signal, found);
    const read = await host.json<Conversation>('GET', `/api/topics/${this.#topicId}`);
    if (JSON.stringify(sorted(read)) !== JSON.stringify(sorted(this.client.conversation)))
      found.push(
        `viewer differs: ${JSON.stringify(this.client.conversation)} <> ${JSON.stringify(read)}`,
      );
    found.push(...illegalities(read));
    const asked = read.messages.filter(({ blocks }) => blocks[0]?.content === `go ${this.key}`);
    if (asked.length !== 1) found.push(`the message is there ${asked.length} times`);
    const { userMessageId, answerId } = this.#acknowledged ?? {};
    if (asked[0]?.id !== userMessageId) found.push('the message has another id than acknowledged');
    const answer = read.messages.find(({ id }) => id === answerId);
    if (!answer) return [...found, 'the answer is not there'];
    if (answer.status === 'error' && !errorIn(answer)?.message)
      found.push('an error without words');
    if (answer.status === 'stopped') found.push('the answer was stopped');
    return [...found, ...(await this.#judgeCalls(host, answer))];
  }

  async #judgeCalls(host: FaultHost, answer: Message): Promise<string[]> {
    const found: string[] = [];
    const blocks = answer.blocks.filter((block) => block.type === 'tool');
    for (const name of Object.keys(calledTools)) {
      const effects = this.#world.countEffects(`${this.key}/${name}`);
      const approvals = this.#approved.get(name)?.size ?? 0;
      if (effects > approvals) found.push(`${name}: ${effects} effects, ${approvals} approvals`);
      const states = blocks
        .filter((block) => effectName(block) === name && block.status !== 'interrupted')
        .map(({ state }) => state);
      if (states.includes('succeeded') && effects === 0) found.push(`${name}: succeeded by itself`);
      const honest = states.some((state) => !['cancelled', 'denied', 'proposed'].includes(state));
      if (effects > 0 && !honest) found.push(`${name}: ran, but is ${states.join(', ')}`);
    }
    for (const { toolCallId, state, status } of blocks) {
      if (status === 'interrupted') continue;
      const response = await host.send('GET', `/api/tool-calls/${toolCallId}`);
      const row = (await response.json()) as { state?: string };
      if (response.status === 404 && state === 'cancelled') continue;
      if (row.state !== state) found.push(`the row of a call is ${row.state}, its block ${state}`);
    }
    return found;
  }

  /** The topic still works: another message gets its answer. */
  async #sayAgain(host: FaultHost, signal: AbortSignal, found: string[]): Promise<void> {
    const text = `again ${this.key}`;
    if (!(await this.#say(host, text, signal))) throw new Error('the host died at the end');
    const seen = await this.#watch({ main: host }, signal, hasEnded(text));
    if (seen === 'cut') throw new Error('the host died at the end');
    const last = this.client.conversation?.messages.at(-1);
    const wasBroken = errorIn(last)?.message.includes('on purpose') === true;
    if (last?.status !== 'success' && !wasBroken)
      found.push(`the next answer: ${JSON.stringify(last)}`);
  }

  /** Sends a message until it is acknowledged; false if the host dies first. */
  async #say(host: FaultHost, text: string, signal: AbortSignal): Promise<boolean> {
    const path = `/api/topics/${this.#topicId}/messages`;
    const response = await insist(host, signal, async () => {
      const key = `${text} ${this.#lostKeys}`;
      const sent = await host.send('POST', path, { text }, { headers: { 'idempotency-key': key } });
      // The key is held by a host that died with it: whoever sees that nothing came sends it anew.
      if (sent.status === 409 && !this.#isThere(text)) this.#lostKeys += 1;
      return sent;
    });
    if (!response) return false;
    if (!text.startsWith('go')) return true;
    const ids = (await response.json()) as { userMessageId: string; answerId: string };
    const first = (this.#acknowledged ??= ids);
    if (first.answerId !== ids.answerId) this.#found.push('a repeat was another message');
    return true;
  }

  #isThere(text: string): boolean {
    const { messages = [] } = this.client.conversation ?? {};
    return messages.some(({ blocks }) => blocks[0]?.content === text);
  }

  async #watch(
    doors: Doors,
    signal: AbortSignal,
    until: (seen: Conversation) => boolean,
  ): Promise<'done' | 'cut'> {
    const { client } = this;
    for (;;) {
      const after = client.lastId === undefined ? '' : `?after=${client.lastId}`;
      const path = `/api/topics/${this.#topicId}/events${after}`;
      const response = await insist(doors.main, signal, () =>
        doors.main.send('GET', path, undefined, { signal }),
      );
      if (!response) return 'cut';
      try {
        const how = await readFrames(response, (frame) => {
          client.take(frame);
          if (client.conversation) this.#react(doors, client.conversation, signal);
          return client.conversation !== undefined && until(client.conversation);
        });
        if (how === 'done') return 'done';
      } catch {
        // The connection was cut: the next one says whether the host still lives.
      }
      signal.throwIfAborted();
    }
  }

  #react(doors: Doors, { messages }: Conversation, signal: AbortSignal): void {
    for (const block of messages.flatMap((message) => message.blocks)) {
      if (block.type !== 'tool' || block.status === 'interrupted') continue;
      const id = `${block.toolCallId} ${block.state}`;
      if (this.#busy.has(id)) continue;
      this.#busy.add(id);
      if (block.state === 'proposed' && block.approval)
        this.#act(doors, (host) => this.#approve(host, block, signal));
      else if (block.state === 'parked')
        this.#act(doors, (host) => this.#answer(host, block, signal));
      else this.#busy.delete(id);
    }
  }

  /** Does it at one door, or at the other if the host behind the first is dead. */
  #act({ main, decisions = main }: Doors, work: (host: FaultHost) => Promise<boolean>): void {
    void (async () => {
      try {
        if (!(await work(decisions)) && decisions !== main) await work(main);
      } catch (error) {
        this.#found.push(`a decision: ${String(error)}`);
      }
    })();
  }

  async #approve(host: FaultHost, block: ToolBlock, signal: AbortSignal): Promise<boolean> {
    await this.holdBack;
    const { toolCallId, argsHash } = block;
    const name = effectName(block);
    const ids = this.#approved.get(name) ?? new Set();
    this.#approved.set(name, ids.add(toolCallId));
    const path = `/api/tool-calls/${toolCallId}/decision`;
    const body = { decision: 'approve', argsHash };
    return (await insist(host, signal, () => host.send('POST', path, body))) !== undefined;
  }

  async #answer(host: FaultHost, { toolCallId }: ToolBlock, signal: AbortSignal): Promise<boolean> {
    const response = await insist(host, signal, async () => {
      const response = await host.send('GET', '/api/inputs');
      if (!response.ok) return response;
      const { inputs } = (await response.json()) as { inputs: InputView[] };
      const input = inputs.find((each) => each.toolCallId === toolCallId);
      if (!input) return new Response(null, { status: 409 });
      const answer = { action: 'accept', content: { name: 'Ada' } };
      return host.send('POST', `/api/inputs/${input.id}`, answer);
    });
    return response !== undefined;
  }
}

/** Whether a message is there and its answer has ended. */
const hasEnded =
  (text: string) =>
  ({ messages }: Conversation): boolean => {
    const question = messages.find(({ blocks }) => blocks[0]?.content === text);
    return messages.some((m) => question && m.parentId === question.id && !isMessageRunning(m));
  };

/** Of a call whose arguments came whole. */
function effectName({ arguments: args = {} }: Partial<ToolBlock>): string {
  const { key } = args;
  return typeof key === 'string' ? (key.split('/').at(-1) ?? '') : '';
}

/** Key order is no difference. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, sorted(item)]),
  );
}

/** Asks again while the host lives and does not do it; undefined once it is dead. */
async function insist(
  host: FaultHost,
  signal: AbortSignal,
  ask: () => Promise<Response>,
): Promise<Response | undefined> {
  for (;;) {
    if (host.isDead()) return undefined;
    try {
      const response = await ask();
      const { status } = response;
      const isDone = status < 400 || (status === 409 && (await isDecided(response)));
      if (isDone) return response;
      if (status < 500 && status !== 409) throw new Error(await response.text());
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    signal.throwIfAborted();
    await setTimeout(retryEvery);
  }
}

async function isDecided(response: Response): Promise<boolean> {
  const text = await response.clone().text();
  return text === '' || text.includes('already_decided');
}
