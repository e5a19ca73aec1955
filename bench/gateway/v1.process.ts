import { setTimeout } from 'node:timers/promises';
import { start, temporaryFolder } from '../processes.ts';
import '../models/end-with-parent.ts';
import { modelName, textLength } from '../models/load.ts';
import { measurers } from '../models/measure.ts';
import { startHost } from '../models/start-host.ts';
import { askChat, directly, throughCerise } from './ask-chat.ts';

// CPU of a host that answers chat completions: `v1.process.ts CASE CONTESTANT`. This process is its client.

/** What is written after the client saw the end belongs to the answer as well. */
const settleTime = 1_000;

const [, , caseName = '', name = ''] = process.argv;
const measureCase = measurers[caseName];
if (!measureCase) throw new Error(`There is no case ${caseName}.`);
using home = temporaryFolder();
await using provider = start(new URL('../models/provider.process.ts', import.meta.url));
const [, baseUrl = ''] = await provider.line(/ready at (\S+)/);
await using host = await (name === 'cerise'
  ? startHost(home.path, baseUrl, 'openai')
  : startRoute());
const target = name === 'cerise' ? throughCerise(host.url) : directly(host.url);

const measured = await measureCase({
  pid: host.pid,
  settle: () => setTimeout(settleTime),
  prepare: async (script, times, width) => {
    const answer = async (): Promise<void> => {
      let length = 0;
      await askChat(target, modelName(script), (text) => void (length += text.length));
      if (length !== textLength(script)) throw new Error(`The text had ${length} characters.`);
    };
    const together = async (): Promise<void> => {
      await Promise.all(Array.from({ length: width }, answer));
    };
    return Array.from({ length: times }, () => together);
  },
});
console.log(JSON.stringify(measured));

/** A route of somebody else. */
async function startRoute() {
  const route = start(new URL('v1-route.process.ts', import.meta.url), [name, baseUrl]);
  const [, url = ''] = await route.line(/ready at (\S+)/);
  return { ...route, url };
}
