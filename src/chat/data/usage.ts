import type { UsageQuery, UsageView } from '#shared/api/usage-api.ts';
import type { Store } from '#store/database/store.ts';
import { countable } from '#store/usage/usage-sums.ts';
import {
  mergeUse,
  timesOf,
  type UsageSpan,
  usageVersion,
  useByDay,
  useByOne,
  type UseOfOne,
} from '#store/usage/usage.ts';

const dayMs = 24 * 3600 * 1000;
const quarterHourMs = 15 * 60_000;
const listed = 50;
/** Views that are remembered until something was used. */
const maxRemembered = 200;

/** What people used, read from sums. A view is made once and holds until its sums change. */
export class Usage {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #views = new Map<string, Promise<UsageView>>();

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** What an owner used in the last days, by day, server, tool and model. */
  async read(owner: string, { days, offset }: UsageQuery): Promise<UsageView> {
    const shift = Math.round((offset * 60_000) / quarterHourMs) * quarterHourMs;
    const last = Math.floor((this.#now() + shift) / dayMs);
    const first = last - days + 1;
    const span = {
      owner,
      from: first * dayMs - shift,
      to: (last + 1) * dayMs - shift,
      shift,
    };
    const version = await usageVersion(this.#store, owner);
    const key = JSON.stringify([version, span]);
    const cached = this.#views.get(key);
    if (cached) return cached;
    const view = readView(this.#store, span, first, days);
    this.#remember(key, view);
    return view;
  }

  #remember(key: string, view: Promise<UsageView>): void {
    this.#views.set(key, view);
    view.catch(() => this.#views.delete(key));
    const [oldest] = this.#views.keys();
    if (this.#views.size > maxRemembered && oldest !== undefined) this.#views.delete(oldest);
  }
}

async function readView(
  { db }: Store,
  span: UsageSpan,
  first: number,
  days: number,
): Promise<UsageView> {
  const calls = new Map((await useByDay(db, span, 'call')).map((row) => [row.day, row]));
  const answers = new Map((await useByDay(db, span, 'answer')).map((row) => [row.day, row]));
  const tools = await useByOne(db, span, 'call');
  const models = await useByOne(db, span, 'answer');
  return {
    from: span.from,
    to: span.to,
    days: Array.from({ length: days }, (_, index) => {
      const called = calls.get(first + index);
      return {
        day: new Date((first + index) * dayMs).toISOString().slice(0, 10),
        calls: called?.count ?? 0,
        failedCalls: called?.failed ?? 0,
        ...answersOf(answers.get(first + index)),
      };
    }),
    servers: mostCalled(byServer(tools)).map((one) => callsOf(one)),
    tools: mostCalled(tools).map((one) => ({ toolName: one.tool, ...callsOf(one) })),
    models: models
      .toSorted((a, b) => b.count - a.count || compare(a.subject, b.subject))
      .slice(0, listed)
      .map((one) => ({ model: one.subject, ...answersOf(one), ...timesOf(one) })),
  };
}

function byServer(tools: UseOfOne[]): UseOfOne[] {
  const servers = new Map<string, UseOfOne>();
  for (const tool of tools) {
    const server = servers.get(tool.subject);
    if (server) mergeUse(server, tool);
    else servers.set(tool.subject, { ...tool, tool: '', durations: new Map(tool.durations) });
  }
  return [...servers.values()];
}

function mostCalled(calls: UseOfOne[]): UseOfOne[] {
  return calls.toSorted((a, b) => b.count - a.count || compare(a.name, b.name)).slice(0, listed);
}

function callsOf(one: UseOfOne) {
  return {
    serverId: one.subject,
    serverName: one.name,
    calls: one.count,
    failedCalls: one.failed,
    ...timesOf(one),
  };
}

/** Costs are added and taken away as fractions, which may leave a little less than nothing. */
function answersOf(one?: Omit<UseOfOne, 'subject' | 'tool' | 'name' | 'durations'>) {
  return {
    answers: one?.count ?? 0,
    failedAnswers: one?.failed ?? 0,
    inputTokens: tokens(one?.inputTokens),
    cachedInputTokens: tokens(one?.cachedInputTokens),
    outputTokens: tokens(one?.outputTokens),
    reasoningTokens: tokens(one?.reasoningTokens),
    cost: Math.max(0, one?.cost ?? 0),
    estimatedCost: Math.max(0, one?.estimatedCost ?? 0),
  };
}

/** Whole days of what imported answers claim may be more than can be told. */
function tokens(sum = 0): number {
  return Math.max(0, countable(sum));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
