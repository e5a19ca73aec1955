import { randomUUIDv7 } from 'node:crypto';
import type { Visitor } from '#chat/people/visitor.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Limits } from '#shared/vocabulary/limits.ts';
import type { McpClient } from './client.ts';
import { type ForwardedQuestion, McpExchange, presentQuestion } from './exchange.ts';
import { RpcFailure } from './rpc.ts';
import { ofGreediest } from './sessions.ts';

const stateForm = /^(?<key>(?<call>call\.)?(?<id>[\w-]{1,100}))\.\d{1,4}$/;

/** An exchange that goes on over several requests. */
export interface Open {
  /** Its name here; the `requestState` of the program also has the number of the round. */
  key: string;
  rounds: number;
  exchange: McpExchange;
  /** Ends its work. */
  life: AbortController;
  visitor: Visitor;
  /** The request that it is about: answers to another one are refused. */
  subject: string;
  /** Sends a notification on the stream of the request that waits at the moment. */
  notify: (method: string, params: JsonObject) => void;
  timer?: NodeJS.Timeout;
}

/** Exchanges that wait for the next request of their program, on this host. */
export class Exchanges {
  readonly #open = new Map<string, Open>();
  readonly #limits: Pick<Limits, 'inputTime' | 'mcpSessions' | 'mcpSessionsPerKey'>;

  constructor(limits: Pick<Limits, 'inputTime' | 'mcpSessions' | 'mcpSessionsPerKey'>) {
    this.#limits = limits;
  }

  begin(client: McpClient, visitor: Visitor, subject: string): Open {
    const life = new AbortController();
    const key = randomUUIDv7();
    const exchange = new McpExchange(client);
    return { key, rounds: 0, exchange, life, visitor, subject, notify: () => undefined };
  }

  /** Keeps one until its program comes back; after a while, its work is ended. One key cannot crowd out others. */
  keep(open: Open): void {
    const { inputTime, mcpSessions, mcpSessionsPerKey } = this.#limits;
    clearTimeout(open.timer);
    open.timer = setTimeout(() => this.#late(open), inputTime).unref();
    this.#open.set(open.key, open);
    const { id } = open.visitor.credential;
    const own = [...this.#open.values()].filter(({ visitor }) => visitor.credential.id === id);
    if (own.length > mcpSessionsPerKey) this.#drop(own[0]);
    if (this.#open.size <= mcpSessions) return;
    const [oldest] = ofGreediest([...this.#open.values()], (each) => each.visitor.owner);
    this.#drop(oldest);
  }

  /** Undefined where there is none of the visitor here. */
  find(key: string, visitor: Visitor): Open | undefined {
    const open = this.#open.get(key);
    const isTheirs =
      open?.visitor.owner === visitor.owner && open.visitor.credential.id === visitor.credential.id;
    return isTheirs ? open : undefined;
  }

  forget(open: Open): void {
    clearTimeout(open.timer);
    this.#open.delete(open.key);
  }

  /** A task at work waits for nobody: its call has its own limits. */
  #late(open: Open): void {
    const { asked, outcome } = open.exchange;
    if (asked.size > 0 || outcome) this.#drop(open);
    else this.keep(open);
  }

  #drop(open: Open | undefined): void {
    if (!open) return;
    this.forget(open);
    open.life.abort();
  }
}

/** The key of an exchange about a call: any host can go on with it. */
export function keyOfCall(toolCallId: string): string {
  return `call.${toolCallId}`;
}

/** The key in a `requestState`, and its call if it belongs to one. Throws for a state that is not ours. */
export function readState(state: string): { key: string; toolCallId?: string } {
  const { key, call, id } = stateForm.exec(state)?.groups ?? {};
  if (key === undefined || id === undefined) throw unknownState();
  return { key, ...(call !== undefined && { toolCallId: id }) };
}

/** The questions for a program, by the keys for its answers. */
export function inputRequestsOf(
  asked: ReadonlyMap<string, ForwardedQuestion>,
  isAlone: boolean,
): JsonObject {
  return Object.fromEntries(
    [...asked].map(([key, question]) => [key, presentQuestion(question, isAlone)]),
  );
}

/** The error for a state that is not ours or has ended; it reveals nothing about others. */
export function unknownState(): RpcFailure {
  return new RpcFailure(rpcCode.invalidParams, 'Unknown requestState: start the request again');
}
