import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { start } from '../processes.ts';
import { modelName, readLoad, repeats, textLength, warmUp } from './load.ts';

// The provider package alone: its parsed stream read to the end, nothing stored, nobody looking.

const { pace, count } = readLoad();
await using provider = start(new URL('provider.process.ts', import.meta.url));
const baseURL = (await provider.line(/ready at (\S+)/))[1] ?? '';
const models = createOpenAICompatible({ name: 'bench', baseURL });

await stream(warmUp);
const before = process.cpuUsage();
const began = performance.now();
for (let turn = 0; turn < repeats(count); turn += 1) await stream(count);
const { user, system } = process.cpuUsage(before);
const deltas = count * repeats(count);
const wallMs = performance.now() - began;
console.log(JSON.stringify({ cpuPerDelta: (user + system) / deltas, wallMs }));

async function stream(deltas: number): Promise<void> {
  const { stream: parts } = await models
    .chatModel(modelName(pace, deltas))
    .doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }] });
  let seen = 0;
  const reader = parts.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (part.value.type === 'text-delta') seen += part.value.delta.length;
  }
  if (seen !== textLength(deltas)) throw new Error(`The stream had ${seen} characters.`);
}
