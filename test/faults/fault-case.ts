import { randomBytes } from 'node:crypto';
import { type FaultPoint, faultPoints } from '#shared/errors/fault.ts';
import { type FaultHost, furnish, startHost } from './fault-host.ts';
import { FaultPerson } from './fault-person.ts';
import type { FaultWorld } from './fault-world.ts';

/** Milliseconds within which everything of one case has to have ended. */
const longest = 120_000;

/** One fault: where, which time it is passed, and what happens then. */
export interface FaultCase {
  point: FaultPoint;
  n: number;
  action: 'kill' | 'throw' | 'delay' | 'full';
  /**
   * What comes after a kill. `next`: the next host goes on, on PostgreSQL the one that runs beside.
   * `again`: the same host is started again; where there is no other, that one is killed as well.
   */
  after?: 'next' | 'again';
}

const onPostgresOnly = new Set<FaultPoint>([
  'inbox-inserted',
  'inbox-carried-out',
  'lease-claimed',
  'lease-renewed',
  'take-over',
]);
const onSqliteOnly = new Set<FaultPoint>(['log-flushing']);
/** What comes next only tells somebody in the same process of what is committed: it cannot fail. */
const onlyTells = new Set<FaultPoint>(['message-accepted', 'approval-committed', 'input-answered']);
/** Passed many times before the turn begins: about how often, and how many times lie apart. */
const often: Partial<Record<FaultPoint, [before: number, apart: number]>> = {
  'before-commit': [6, 3],
  'after-commit': [6, 3],
  'log-flushing': [12, 4],
};

/** Passed by imports and deletions; test/slices.test.ts is about them. */
const outsideTurns = new Set<FaultPoint>([
  'import-slice',
  'import-whole',
  'import-shown',
  'sweep-slice',
]);

/** The points that a turn passes on a database. */
export function pointsOn(dialect: 'sqlite' | 'postgres'): FaultPoint[] {
  const all = Object.keys(faultPoints) as FaultPoint[];
  const elsewhere = dialect === 'postgres' ? onSqliteOnly : onPostgresOnly;
  return all.filter((point) => !elsewhere.has(point) && !outsideTurns.has(point));
}

/** What can happen at a point. SQLite itself says whether it has committed: no connection can be lost. */
export function actionsAt(
  point: FaultPoint,
  dialect: 'sqlite' | 'postgres',
): FaultCase['action'][] {
  if (onlyTells.has(point)) return ['kill', 'delay'];
  if (point === 'after-commit' && dialect === 'sqlite') return ['kill', 'delay'];
  return ['kill', 'throw', 'delay', 'full'];
}

/** The n-th time that a point is passed in the turn itself, about. */
export function timesOf(point: FaultPoint, n: number): number {
  const [before, apart] = often[point] ?? [0, 1];
  return before + apart * n;
}

/** What came of a case. */
export interface FaultResult {
  /** Sentences about everything that is wrong; empty when all is well. */
  found: string[];
  /** Whether the process ended by the fault. */
  died: boolean;
}

/** A place of hosts: a data folder, and on PostgreSQL a second host that always runs. */
export class FaultPlace {
  readonly #world: FaultWorld;
  readonly #place: { home: string; databaseUrl?: string | undefined };
  #neighbour: FaultHost | undefined;
  #isFurnished = false;

  constructor(world: FaultWorld, place: { home: string; databaseUrl?: string | undefined }) {
    this.#world = world;
    this.#place = place;
  }

  get #isShared(): boolean {
    return this.#place.databaseUrl !== undefined;
  }

  /** Runs a whole turn with the fault, goes on without it where it killed, and judges the end. */
  async run({ point, n, action, after = 'next' }: FaultCase): Promise<FaultResult> {
    const spec = `${point}:${n}:${action}`;
    const hosts: FaultHost[] = [];
    let met: FaultPerson | undefined;
    try {
      if (point === 'take-over') return await this.#runTakeOver(spec, hosts, after);
      const person = (met = await this.#meet(hosts));
      const signal = AbortSignal.timeout(longest);
      const armed = await this.#start(hosts, spec);
      let died = armed === undefined;
      if (armed) died = (await this.#use(point, person, armed, signal)) === 'cut';
      if (!died && armed) {
        const found = await person.judge(armed, signal).catch(async (error: unknown) => {
          // Its connections end before its end is heard of.
          await Promise.race([armed.ended, pause(2_000)]);
          if (!armed.isDead()) throw error;
        });
        if (found) return { found: [...found, ...this.#outside()], died: false };
      }
      return { found: await this.#goOn(person, hosts, signal, after), died: true };
    } catch (error) {
      const last = hosts.map((host) => host.log().slice(-2000)).join('\n');
      return { found: [`${String(error)}\n${met?.describe()}\n${last}`], died: false };
    } finally {
      for (const host of hosts) await host.kill();
    }
  }

  async close(): Promise<void> {
    await this.#neighbour?.kill();
  }

  async #goOn(
    person: FaultPerson,
    hosts: FaultHost[],
    signal: AbortSignal,
    after: 'next' | 'again',
  ): Promise<string[]> {
    const clean = await this.#following(hosts, after);
    if (!clean) return ['the host does not start again'];
    if ((await person.use({ main: clean }, signal)) === 'cut')
      return ['the next host died as well'];
    return [...(await person.judge(clean, signal)), ...this.#outside()];
  }

  /** The one that goes on after the fault. */
  async #following(hosts: FaultHost[], after: 'next' | 'again'): Promise<FaultHost | undefined> {
    if (after === 'next') return this.#neighbour ?? this.#start(hosts);
    const started = await this.#start(hosts);
    if (this.#neighbour) return started;
    await started?.kill();
    return this.#start(hosts);
  }

  /** On PostgreSQL some points are only passed between two hosts. */
  async #use(point: FaultPoint, person: FaultPerson, armed: FaultHost, signal: AbortSignal) {
    const neighbour = this.#neighbour;
    if (!neighbour) return person.use({ main: armed }, signal);
    if (point === 'lease-renewed') person.holdBack = Promise.race([armed.ended, pause(7_000)]);
    if (point === 'inbox-carried-out')
      return person.use({ main: armed, decisions: neighbour }, signal);
    if (point !== 'inbox-inserted') return person.use({ main: armed }, signal);
    const ended = await person.use({ main: neighbour, decisions: armed }, signal);
    return armed.isDead() ? 'cut' : ended;
  }

  /** A host dies while an answer waits; the one with the fault is to take over. */
  async #runTakeOver(
    spec: string,
    hosts: FaultHost[],
    after: 'next' | 'again',
  ): Promise<FaultResult> {
    const signal = AbortSignal.timeout(longest);
    await this.close();
    this.#neighbour = undefined;
    const first = await this.#furnished(hosts);
    const person = await this.#newPerson(first);
    await person.untilAsked({ main: first }, signal);
    await first.kill();
    const armed = await this.#start(hosts, spec);
    const died = !armed || (await person.use({ main: armed }, signal)) === 'cut';
    if (armed && !died) return { found: await person.judge(armed, signal), died };
    return { found: await this.#goOn(person, hosts, signal, after), died };
  }

  async #meet(hosts: FaultHost[]): Promise<FaultPerson> {
    if (this.#isShared) {
      if (!this.#neighbour || this.#neighbour.isDead()) {
        const own: FaultHost[] = [];
        this.#neighbour = await this.#furnished(own);
      }
      return this.#newPerson(this.#neighbour);
    }
    if (!this.#spare) await this.#fill(hosts);
    const topicId = this.#spare?.pop() ?? '';
    if (this.#spare?.length === 0) this.#spare = undefined;
    return new FaultPerson(this.#world, topicId, randomBytes(6).toString('hex'));
  }

  /** On SQLite topics are made in advance: a host only for that would cost more than the case. */
  #spare: string[] | undefined;

  async #fill(hosts: FaultHost[]): Promise<void> {
    const host = await this.#furnished(hosts);
    this.#spare = [];
    for (let made = 0; made < 100; made += 1) this.#spare.push(await createTopic(host));
    await host.kill();
  }

  async #newPerson(host: FaultHost): Promise<FaultPerson> {
    const key = randomBytes(6).toString('hex');
    return new FaultPerson(this.#world, await createTopic(host), key);
  }

  async #furnished(hosts: FaultHost[]): Promise<FaultHost> {
    const host = await this.#start(hosts);
    if (!host) throw new Error('no host starts here');
    if (!this.#isFurnished) await furnish(host, this.#world);
    this.#isFurnished = true;
    return host;
  }

  async #start(hosts: FaultHost[], fault?: string): Promise<FaultHost | undefined> {
    const host = await startHost(this.#place, fault);
    if (host) hosts.push(host);
    return host;
  }

  #outside(): string[] {
    return this.#world.problems.splice(0);
  }
}

async function createTopic(host: FaultHost): Promise<string> {
  return (await host.json<{ id: string }>('POST', '/api/topics', { title: 'Topic' })).id;
}

function pause(time: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, time).unref());
}
