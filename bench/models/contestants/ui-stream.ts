import { streamAnswer } from '../ai-sdk.ts';
import type { Connect } from '../contestant.ts';

// AI SDK: `streamText().toUIMessageStreamResponse()`, its bytes read to the end.

export const connect: Connect = (target) => async (model, tools) => {
  const result = streamAnswer(target, model, tools);
  const { body } = result.toUIMessageStreamResponse();
  if (!body) throw new Error('The response has no body.');
  let bytes = 0;
  for await (const piece of body) bytes += piece.length;
  const steps = await result.steps;
  const length = steps.reduce((sum, { text }) => sum + text.length, 0);
  if (bytes < length) throw new Error(`The stream had only ${bytes} bytes.`);
  return length;
};
