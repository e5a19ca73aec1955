import { start } from '../processes.ts';
import type { Connect } from './contestant.ts';
import './end-with-parent.ts';
import { modelName, textLength, type WireName } from './load.ts';
import { measurers } from './measure.ts';

// One contestant in one case: `client.process.ts CASE WIRE CONTESTANT`. CPU is that of this process.

/** Only the one that is measured is loaded. */
const contestants: Record<string, () => Promise<{ connect: Connect }>> = {
  bare: () => import('./contestants/bare.ts'),
  wire: () => import('./contestants/wire.ts'),
  processor: () => import('./contestants/processor.ts'),
  doStream: () => import('./contestants/do-stream.ts'),
  fullStream: () => import('./contestants/full-stream.ts'),
  uiMessageStream: () => import('./contestants/ui-stream.ts'),
  sdk: () => import('./contestants/sdk.ts'),
};

const [, , caseName = '', wire = '', name = ''] = process.argv;
const measureCase = measurers[caseName];
const contestant = await contestants[name]?.();
if (!measureCase || !contestant) throw new Error(`There is no ${name} in the case ${caseName}.`);
await using provider = start(new URL('provider.process.ts', import.meta.url));
const baseUrl = (await provider.line(/ready at (\S+)/))[1] ?? '';
const ask = contestant.connect({ wire: wire as WireName, baseUrl });

const measured = await measureCase({
  pid: process.pid,
  settle: async () => {},
  prepare: async (script, times, width) => {
    const answer = async (): Promise<void> => {
      const length = await ask(modelName(script), script.kind === 'rounds');
      if (length !== textLength(script)) throw new Error(`The text had ${length} characters.`);
    };
    const together = async (): Promise<void> => {
      await Promise.all(Array.from({ length: width }, answer));
    };
    return Array.from({ length: times }, () => together);
  },
});
console.log(JSON.stringify(measured));
