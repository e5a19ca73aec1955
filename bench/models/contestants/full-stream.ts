import { streamAnswer } from '../ai-sdk.ts';
import type { Connect } from '../contestant.ts';

// AI SDK: `streamText().fullStream`, read part by part.

export const connect: Connect = (target) => async (model, tools) => {
  let text = '';
  for await (const part of streamAnswer(target, model, tools).fullStream) {
    if (part.type === 'text-delta') text += part.text;
  }
  return text.length;
};
