import { setTimeout } from 'node:timers/promises';
import { startPostgres } from '../../test/postgres.ts';
import { Stage } from '../load/stage.ts';
import { benchToken, cpuOf } from '../processes.ts';
import { describeSetting } from '../report.ts';
import { calls, exportLines, fillCalls, messages } from './data.ts';
import { signInNew, timed } from './person.ts';

const turns = 100;
const readers = 20;
const usualRounds = 3;
const warmUp = 2000;
/** Milliseconds that are measured without the load, and between two looks of a reader. */
const quietMs = 20_000;
const readEvery = 500;
const aims = { p99: 50, longest: 250 };

interface Measured {
  round: number;
  database: string;
  load: boolean;
  seconds: number;
  p50: number;
  p99: number;
  longest: number;
  /** CPU time of the host’s main thread between two turns of its loop, at most. */
  longestCpu: number;
  /** CPU of the host, in percent of a core. */
  cpu: number;
  importTime?: number;
  deleteTime?: number;
  usageTime?: number;
}

/**
 * How late the event loop of a host is while turns stream, somebody imports and deletes much, and others
 * read their usage; beside the same without that load. Each in a fresh process, in turn. A number among the
 * names is how often.
 */
export async function run({ only, json }: { only: string[]; json: boolean }): Promise<number> {
  const names = only.filter((word) => !/^\d+$/.test(word));
  const databases = names.length > 0 ? names : ['sqlite', 'postgres'];
  const rounds = Number(only.find((word) => /^\d+$/.test(word)) ?? usualRounds);
  if (!json)
    console.log(
      `${describeSetting({ cases: [] })}\n${turns} live turns; the load is an import of ${messages} messages, ` +
        `their deletion, and ${readers} readers of the usage of ${calls} calls\n`,
    );
  const found: Measured[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const database of databases)
      for (const load of round % 2 === 0 ? [true, false] : [false, true]) {
        const measured = await onDatabase(database, (place) => measure(place, load));
        if (measured) found.push({ round, database, load, ...measured });
        process.stderr.write(`${JSON.stringify(found.at(-1))}\n`);
      }
  console.log(json ? JSON.stringify({ bench: 'busy', found }) : format(found));
  return 0;
}

type Place = { databaseUrl?: string };

async function onDatabase<T>(
  database: string,
  work: (place: Place) => Promise<T>,
): Promise<T | undefined> {
  if (database === 'sqlite') return await work({});
  const started = await startPostgres();
  if (started.url === undefined) {
    process.stderr.write(`Without PostgreSQL: ${started.missing}.\n`);
    return undefined;
  }
  try {
    return await work({ databaseUrl: started.url });
  } finally {
    await started.stop();
  }
}

async function measure(place: Place, load: boolean) {
  const preload = new URL('preload.process.ts', import.meta.url);
  await using stage = await Stage.open({
    ...place,
    instances: 1,
    preload,
    prepare: (where) => fillCalls(where),
  });
  const { host } = stage;
  const person = await signInNew(host.url, 'Importer');
  await readUsage(host.url);
  await stage.raiseTo(turns);
  await setTimeout(warmUp);
  await delays(host);
  const [begun, cpu] = [performance.now(), cpuOf(host.pid)];
  const times = load ? await burden(host.url, person) : await setTimeout(quietMs, {});
  const elapsed = performance.now() - begun;
  const used = (cpuOf(host.pid) - cpu) / elapsed / 10;
  return { seconds: elapsed / 1000, ...(await delays(host)), cpu: used, ...times };
}

/** Everything at once; it ends when the import and its deletion have, and what they left to do is done. */
async function burden(url: string, person: Record<string, string>) {
  const ended = new AbortController();
  const reading = Array.from({ length: readers }, () => readOn(url, ended.signal));
  const file = new Blob([...exportLines()]);
  const importTime = await timed(`${url}/api/data/import`, {
    method: 'POST',
    headers: { ...person, 'content-type': 'application/x-ndjson' },
    body: file,
  });
  const deleteTime = await timed(`${url}/api/data/topics`, { method: 'DELETE', headers: person });
  await untilSwept(url, person);
  ended.abort();
  const usage = (await Promise.all(reading)).flat().toSorted((a, b) => a - b);
  return { importTime, deleteTime, usageTime: usage[Math.floor(usage.length / 2)] ?? NaN };
}

/** What was deleted is away at once; its rows follow. */
async function untilSwept(url: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/api/data`, { headers });
    const { conversationBytes } = (await response.json()) as { conversationBytes: number };
    if (conversationBytes === 0) return;
    await setTimeout(200);
  }
}

async function readOn(url: string, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    times.push(await readUsage(url));
    await setTimeout(readEvery);
  }
  return times;
}

const readUsage = (url: string) =>
  timed(`${url}/api/usage?days=30`, { headers: { authorization: `Bearer ${benchToken}` } });

async function delays(host: Stage['host']) {
  const said = host.line(/^delay (\S+) (\S+) (\S+) (\S+)$/);
  process.kill(host.pid, 'SIGUSR2');
  const [p50 = NaN, p99 = NaN, longest = NaN, longestCpu = NaN] = (await said).slice(1).map(Number);
  return { p50, p99, longest, longestCpu };
}

function format(found: Measured[]): string {
  const head =
    '| database | load | p50 ms | p99 ms | longest ms | of it CPU ms | host CPU % | import s | delete s | usage ms | aim |';
  const seconds = (time?: number) => (time === undefined ? '–' : (time / 1000).toFixed(1));
  const lines = found.map((one) => {
    const met = one.p99 < aims.p99 && one.longest < aims.longest ? 'yes' : 'NO';
    const cells = [
      one.database,
      one.load ? 'with' : 'without',
      one.p50,
      one.p99,
      one.longest,
      one.longestCpu,
    ];
    const rest = [one.cpu.toFixed(0), seconds(one.importTime), seconds(one.deleteTime)];
    return `| ${[...cells, ...rest, one.usageTime?.toFixed(0) ?? '–', met].join(' | ')} |`;
  });
  const rule = '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |';
  return [head, rule, ...lines].join('\n');
}
