import { languageModel } from '../ai-sdk.ts';
import { type Connect, question } from '../contestant.ts';

// The provider packages of the AI SDK alone: `doStream`, read part by part. It has no loop.

export const connect: Connect = (target) => async (model) => {
  const { stream } = await languageModel(target, model).doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: question }] }],
  });
  let text = '';
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (part.value.type === 'text-delta') text += part.value.delta;
  }
  return text.length;
};
