import { start, temporaryFolder } from '../processes.ts';
import { median } from '../statistics.ts';
import '../models/end-with-parent.ts';
import { modelName } from '../models/load.ts';
import { startHost } from '../models/start-host.ts';
import { askChat, type ChatTarget, directly, throughCerise } from './ask-chat.ts';

// Time to the first text of a chat completion: `first-token.process.ts cerise|direct`. For what Cerise adds, the
// provider is also asked in turn with it.

const warmUp = 1000;
const quick = modelName({ kind: 'hose', count: 20 });
const requests = 300;
/** It ends a moment after its beginning, so that what ends an answer is in nobody's way. */
const answer = modelName({ kind: 'paced', count: 2 });

const [, , contestant = ''] = process.argv;
using home = temporaryFolder();
await using provider = start(new URL('../models/provider.process.ts', import.meta.url));
const [, baseUrl = ''] = await provider.line(/ready at (\S+)/);
const direct = directly(baseUrl);
if (contestant === 'direct') {
  const [times = []] = await measure([direct]);
  console.log(JSON.stringify(quantiles(times)));
} else {
  await using host = await startHost(home.path, baseUrl, 'openai');
  const [through = [], beside = []] = await measure([throughCerise(host.url), direct]);
  const [own, floor] = [quantiles(through), quantiles(beside)];
  const added = { addedMedian: own.median - floor.median, addedP90: own.p90 - floor.p90 };
  console.log(JSON.stringify({ ...own, ...added }));
}

/** Asks one after the other, in turn, over connections that are kept. Milliseconds. */
async function measure(targets: ChatTarget[]): Promise<number[][]> {
  for (let at = 0; at < warmUp; at += 1)
    for (const target of targets) await firstText(target, quick);
  const times = targets.map((): number[] => []);
  for (let at = 0; at < requests; at += 1)
    for (const [index, target] of targets.entries())
      times[index]?.push(await firstText(target, answer));
  return times;
}

function quantiles(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  return { median: median(times), p90: sorted[Math.floor(sorted.length * 0.9)] ?? NaN };
}

/** Milliseconds from the request to the first text. */
async function firstText(target: ChatTarget, model: string): Promise<number> {
  const began = performance.now();
  let ms = NaN;
  await askChat(target, model, () => {
    if (Number.isNaN(ms)) ms = performance.now() - began;
  });
  return ms;
}
