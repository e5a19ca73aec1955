import { setTimeout } from 'node:timers/promises';
import { benchToken, start, temporaryFolder } from '../processes.ts';
import { question } from './contestant.ts';
import './end-with-parent.ts';
import { modelName, type Script, textLength, type WireName } from './load.ts';
import { measurers } from './measure.ts';
import { startHost } from './start-host.ts';

// The whole path through a running Cerise: `cerise.process.ts CASE WIRE`. Provider, turn, journal in
// SQLite, one viewer over SSE for each topic; the viewers are one process.

/** What is written after the viewer saw the end belongs to the answer as well. */
const settleTime = 1_000;

const [, , caseName = '', wire = ''] = process.argv;
const measureCase = measurers[caseName];
if (!measureCase) throw new Error(`There is no case ${caseName}.`);
using home = temporaryFolder();
await using provider = start(new URL('provider.process.ts', import.meta.url));
const baseUrl = (await provider.line(/ready at (\S+)/))[1] ?? '';
await using cerise = await startHost(home.path, baseUrl, wire as WireName);

const measured = await measureCase({
  pid: cerise.pid,
  settle: () => setTimeout(settleTime),
  prepare,
});
console.log(JSON.stringify(measured));

async function prepare(script: Script, times: number, width: number) {
  const model = `bench/${modelName(script)}`;
  const topics: string[] = [];
  for (let index = 0; index < times * width; index += 1) {
    const topic = (await cerise.post('/api/topics', { title: 'Bench', model })) as { id: string };
    topics.push(topic.id);
  }
  const viewers = start(new URL('viewers.process.ts', import.meta.url), [
    benchToken,
    ...topics.map((id) => `${cerise.url}/api/topics/${id}/events?after=0`),
  ]);
  await viewers.line(/^connected$/);
  return Array.from({ length: times }, (_, time) => async () => {
    const count = (time + 1) * width;
    const ended = viewers.line(new RegExp(`^ended ${count} (\\d+)$`));
    const asked = topics.slice(time * width, count);
    await Promise.all(asked.map((id) => sendMessage(id, script)));
    const seen = Number((await ended)[1]);
    const expected = count * textLength(script);
    if (seen !== expected) throw new Error(`The viewers saw ${seen} of ${expected} characters.`);
  });
}

async function sendMessage(topicId: string, { kind }: Script): Promise<void> {
  const tools = kind === 'rounds' ? { mode: 'manual', servers: ['calculator'] } : { mode: 'none' };
  await cerise.post(`/api/topics/${topicId}/messages`, { text: question, tools });
}
