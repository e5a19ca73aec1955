import { setTimeout } from 'node:timers/promises';
import { benchToken, cpuOf, start, startCerise, temporaryFolder } from '../processes.ts';
import { modelName, readLoad, repeats, textLength, warmUp } from './load.ts';

// The whole path through a running Cerise: provider, turn, journal in SQLite, one viewer over SSE.

/** What is written after the viewer saw the end belongs to the turn as well. */
const settleTime = 1_000;

const { pace, count } = readLoad();
using home = temporaryFolder();
await using provider = start(new URL('provider.process.ts', import.meta.url));
const baseUrl = (await provider.line(/ready at (\S+)/))[1] ?? '';
await using cerise = await startCerise(home.path);
const models = [modelName(pace, warmUp), modelName(pace, count)];
await post('/api/providers', { name: 'bench', kind: 'openai-compatible', baseUrl, models });

await runTurn(warmUp);
await setTimeout(settleTime);
const before = cpuOf(cerise.pid);
const began = performance.now();
for (let turn = 0; turn < repeats(count); turn += 1) await runTurn(count);
const wallMs = performance.now() - began;
await setTimeout(settleTime);
const cpu = cpuOf(cerise.pid) - before;
console.log(JSON.stringify({ cpuPerDelta: cpu / (count * repeats(count)), wallMs }));

/** One answer of so many deltas in a topic of its own, watched by one viewer. */
async function runTurn(deltas: number): Promise<void> {
  const model = `bench/${modelName(pace, deltas)}`;
  const topic = (await post('/api/topics', { title: 'Bench', model })) as { id: string };
  await using viewer = start(new URL('viewer.process.ts', import.meta.url), [
    `${cerise.url}/api/topics/${topic.id}/events?after=0`,
    benchToken,
  ]);
  await viewer.line(/^connected$/);
  const ended = viewer.line(/^ended success (\d+)$/);
  await post(`/api/topics/${topic.id}/messages`, { text: 'Go on.', tools: { mode: 'none' } });
  const seen = Number((await ended)[1]);
  if (seen !== textLength(deltas)) throw new Error(`The viewer saw ${seen} characters.`);
}

async function post(path: string, body: object): Promise<unknown> {
  const response = await fetch(`${cerise.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${benchToken}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`);
  return await response.json();
}
