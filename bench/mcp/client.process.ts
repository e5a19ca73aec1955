import { type Connect, type Connected, openTarget } from './contestant.ts';
import {
  assertAnswer,
  callCount,
  calls,
  inFlight,
  listCount,
  type Load,
  manyTools,
  readLoad,
} from './load.ts';

// One contestant under one load: `client.process.ts CONTESTANT LOAD…`. CPU is that of this process.

/** Only the one that is measured is loaded. */
const contestants: Record<string, () => Promise<{ connect: Connect }>> = {
  cerise: () => import('./contestants/cerise.ts'),
  library: () => import('./contestants/library.ts'),
  'cerise-lists': () => import('./contestants/cerise-lists.ts'),
  'own-client': () => import('./contestants/own-client.ts'),
  floor: () => import('./contestants/floor.ts'),
  client: () => import('./contestants/client.ts'),
  sdk: () => import('./contestants/sdk.ts'),
  'ai-sdk': () => import('./contestants/ai-sdk.ts'),
};

const [, , name = '', ...rest] = process.argv;
const load = readLoad(rest);
const contestant = await contestants[name]?.();
if (!contestant) throw new Error(`There is no contestant "${name}".`);
const { connect } = contestant;
await using server = await openTarget(load);
const client = await connect(server.target);
const measured = load.kind === 'calls' ? await measureCalls(load) : await measureLists();
await client.close();
console.log(JSON.stringify(measured));

async function measureCalls(load: Extract<Load, { kind: 'calls' }>) {
  const measured: Record<string, number> = {};
  await client.list();
  for (const width of inFlight.toReversed()) {
    const count = callCount[load.transport][width];
    await run(client, load.tool, count, width);
    const before = process.cpuUsage();
    await run(client, load.tool, count, width);
    const { user, system } = process.cpuUsage(before);
    measured[`cpu${width}`] = (user + system) / count;
  }
  return measured;
}

/** So many calls, `width` of them under way at any time. */
async function run(client: Connected, tool: string, count: number, width: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const call = calls[next++ % calls.length]!;
      assertAnswer(await client.call(tool, call), call);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
}

async function measureLists() {
  const first = await measureList(1);
  await measureList(listCount);
  const warm = await measureList(listCount);
  return { firstMs: first.ms, firstCpu: first.cpu, warmMs: warm.ms, warmCpu: warm.cpu };
}

/** Milliseconds of time and of CPU for each listing. */
async function measureList(count: number): Promise<{ ms: number; cpu: number }> {
  const before = process.cpuUsage();
  const began = performance.now();
  for (let index = 0; index < count; index += 1) {
    const found = await client.list();
    if (found !== manyTools) throw new Error(`${found} tools were listed.`);
  }
  const ms = (performance.now() - began) / count;
  const { user, system } = process.cpuUsage(before);
  return { ms, cpu: (user + system) / 1000 / count };
}
