import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { benchToken, cpuOf, type Running, startCerise, temporaryFolder } from '../processes.ts';
import { cpuOfServer } from './database-cpu.ts';
import { type Controlled, post, startControlled } from './control.ts';

/** What one run is made of. */
export interface Setting {
  /** Absent: SQLite. */
  databaseUrl?: string;
  instances: number;
  /** Viewers attach to another instance than the one that runs the turn. */
  across?: boolean;
  /** What is loaded into each instance before it starts; absent: what says its memory. */
  preload?: URL;
  /** Fills the data folder, or the database, before the first instance starts. */
  prepare?(place: { home: string; databaseUrl?: string }): Promise<void>;
}

/** What the viewers saw since they were last asked. */
interface Seen {
  count: number;
  p50: number;
  p99: number;
  ended: { count: number; characters: number; failed: number; cut: number };
}

/** One measurement. CPU in percent of a core, memory in KB, delays in ms. */
export interface Measured {
  turns: number;
  /** Deltas a second that reached viewers, of all turns. */
  rate: number;
  p50: number;
  p99: number;
  host: number;
  cpuPerDelta: number;
  generator: number;
  viewers: number;
  database: number;
  /** What else ran on this machine. */
  others: number;
}

export type Instance = Running & { url: string };

/** Everything that runs: provider, instances of Cerise, viewers. Ends when it is disposed. */
export class Stage implements AsyncDisposable {
  readonly #setting: Setting;
  readonly #parts: AsyncDisposableStack;
  readonly #provider: Controlled;
  readonly #viewers: Controlled;
  readonly #instances: Instance[];
  turns = 0;

  private constructor(
    setting: Setting,
    parts: AsyncDisposableStack,
    running: { provider: Controlled; viewers: Controlled; instances: Instance[] },
  ) {
    this.#setting = setting;
    this.#parts = parts;
    this.#provider = running.provider;
    this.#viewers = running.viewers;
    this.#instances = running.instances;
  }

  static async open(setting: Setting): Promise<Stage> {
    await using parts = new AsyncDisposableStack();
    const begin = async (name: string) =>
      parts.use(await startControlled(new URL(`${name}.process.ts`, import.meta.url)));
    const provider = await begin('provider');
    const viewers = await begin('viewers');
    const instances: Instance[] = [];
    for (let index = 0; index < setting.instances; index += 1) {
      const home = parts.use(temporaryFolder()).path;
      if (index === 0) await setting.prepare?.({ ...setting, home });
      instances.push(parts.use(await startInstance(home, setting)));
    }
    await post(
      `${instances[0]?.url}/api/providers`,
      {
        name: 'bench',
        kind: 'openai-chat',
        baseUrl: provider.url,
        apiKey: 'bench-key',
        models: [],
      },
      benchToken,
    );
    return new Stage(setting, parts.move(), { provider, viewers, instances });
  }

  /** Topics in which nothing runs. */
  async addTopics(count: number): Promise<string[]> {
    const urls = Array.from(
      { length: count },
      (_, index) => this.#instance(this.turns + index).url,
    );
    return inGroups(urls, async (url) => {
      const body = { title: 'Bench', model: 'bench/endless' };
      const { id } = await post<{ id: string }>(`${url}/api/topics`, body, benchToken);
      return id;
    });
  }

  /** One viewer for each of the topics that were added last. */
  async watch(topics: string[]): Promise<void> {
    const shift = this.#setting.across ? 1 : 0;
    const urls = topics.map(
      (id, index) => `${this.#instance(this.turns + index + shift).url}/api/topics/${id}/events`,
    );
    await this.#viewers.ask('/watch', urls);
  }

  /** Begins turns until so many are live, each with its viewer. */
  async raiseTo(turns: number): Promise<void> {
    const topics = await this.addTopics(turns - this.turns);
    await this.watch(topics);
    const messages = topics.map(
      (id, index) => `${this.#instance(this.turns + index).url}/api/topics/${id}/messages`,
    );
    const body = { text: 'Go on.', tools: { mode: 'none' } };
    await inGroups(messages, (url) => post(url, body, benchToken));
    this.turns = turns;
  }

  /** What happens within so many milliseconds. */
  async measure(time: number): Promise<Measured> {
    await this.#viewers.ask<Seen>('/seen');
    const before = this.#readCpu();
    await setTimeout(time);
    const after = this.#readCpu();
    const { count, p50, p99 } = await this.#viewers.ask<Seen>('/seen');
    const elapsed = after.at - before.at;
    const percent = (name: keyof typeof after) => (after[name] - before[name]) / elapsed / 10;
    const own = percent('host') + percent('generator') + percent('viewers') + percent('database');
    return {
      turns: this.turns,
      rate: (count / elapsed) * 1000,
      p50,
      p99,
      host: percent('host'),
      cpuPerDelta: (after.host - before.host) / count,
      generator: percent('generator'),
      viewers: percent('viewers'),
      database: percent('database'),
      others: percent('machine') - own,
    };
  }

  /** Memory in KB that all instances use once garbage is gone, and what they have of the system. */
  async memory(): Promise<{ used: number; resident: number }> {
    const sum = { used: 0, resident: 0 };
    for (const instance of this.#instances) {
      const said = instance.line(/^memory (\d+) (\d+)$/);
      process.kill(instance.pid, 'SIGUSR2');
      const [, used, resident] = await said;
      sum.used += Number(used) / 1024;
      sum.resident += Number(resident) / 1024;
    }
    return sum;
  }

  /** Ends all turns and checks that every viewer saw all of its answer. Rejects if not. */
  async end(deltaLength: number): Promise<void> {
    const { sent } = await this.#provider.ask<{ sent: number }>('/end');
    const deadline = performance.now() + 30_000;
    for (;;) {
      const { ended } = await this.#viewers.ask<Seen>('/seen');
      if (ended.count >= this.turns || performance.now() > deadline) {
        const expected = sent * deltaLength;
        if (
          ended.count === this.turns &&
          ended.failed + ended.cut === 0 &&
          ended.characters === expected
        )
          return;
        throw new Error(
          `Of ${this.turns} answers, ${expected} characters: ${JSON.stringify(ended)}`,
        );
      }
      await setTimeout(100);
    }
  }

  /** The first instance of Cerise. */
  get host(): Instance {
    return this.#instance(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
  }

  #instance(index: number): Instance {
    const instance = this.#instances[index % this.#instances.length];
    if (!instance) throw new Error('There is no instance.');
    return instance;
  }

  #readCpu() {
    const { databaseUrl } = this.#setting;
    return {
      at: performance.now(),
      host: this.#instances.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
      generator: cpuOf(this.#provider.pid),
      viewers: cpuOf(this.#viewers.pid),
      database: databaseUrl === undefined ? 0 : cpuOfServer(databaseUrl),
      machine: cpuOfMachine(),
    };
  }
}

/** CPU time in µs that this machine spent on anything. */
function cpuOfMachine(): number {
  const times = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq);
  return times.reduce((sum, time) => sum + time, 0) * 1000;
}

function startInstance(
  home: string,
  { databaseUrl = '', preload = new URL('preload.process.ts', import.meta.url) }: Setting,
): Promise<Instance> {
  return startCerise(home, {
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${preload.href}`,
    CERISE_DISCOVER: '0',
    CERISE_DATABASE_URL: databaseUrl,
    CERISE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
}

/** Some at a time, in order. */
async function inGroups<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += 25)
    results.push(...(await Promise.all(items.slice(start, start + 25).map(work))));
  return results;
}
