import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { isStepCount, streamText, tool } from 'ai';
import { z } from 'zod';
import { apiKey, question, type Target } from './contestant.ts';
import { calculate, calculator } from './load.ts';

/** A model of the AI SDK that speaks the wire of the target. */
export function languageModel({ wire, baseUrl }: Target, model: string) {
  const settings = { apiKey, baseURL: baseUrl };
  return wire === 'openai'
    ? createOpenAI(settings).chat(model)
    : createAnthropic(settings).languageModel(model);
}

const tools = {
  [calculator.name]: tool({
    description: calculator.description,
    inputSchema: z.object({ expression: z.string().min(1).max(2000) }),
    execute: calculate,
  }),
};

/** The AI SDK's own loop, with as many steps as the model asks for. */
export function streamAnswer(target: Target, model: string, withTools: boolean) {
  return streamText({
    model: languageModel(target, model),
    prompt: question,
    onError: ({ error }) => {
      throw error;
    },
    ...(withTools && { tools, stopWhen: isStepCount(1000) }),
  });
}
