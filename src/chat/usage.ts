import type { UsageQuery, UsageView } from '#shared/usage-api.ts';
import type { Store } from '#store/store.ts';
import { answersByDay, callsByDay, usageOfModels, usageOfTools } from '#store/usage.ts';

const dayLength = 24 * 3600 * 1000;

/** What an owner used in the last days, by day, server, tool and model, all of one moment. */
export async function readUsage(
  store: Store,
  owner: string,
  { days, offset }: UsageQuery,
  now: number,
): Promise<UsageView> {
  const shift = offset * 60_000;
  const last = Math.floor((now + shift) / dayLength);
  const first = last - days + 1;
  const from = first * dayLength - shift;
  const to = (last + 1) * dayLength - shift;
  const span = { owner, from, to, shift };
  return await store.snapshot(async (tx) => {
    const calls = new Map((await callsByDay(tx, span)).map((row) => [row.day, row]));
    const answers = new Map(
      (await answersByDay(tx, store.dialect, span)).map((row) => [row.day, row]),
    );
    return {
      from,
      to,
      days: Array.from({ length: days }, (_, index) => ({
        ...unused,
        ...calls.get(first + index),
        ...answers.get(first + index),
        day: new Date((first + index) * dayLength).toISOString().slice(0, 10),
      })),
      servers: await usageOfTools(tx, span, 'server'),
      tools: await usageOfTools(tx, span, 'tool'),
      models: await usageOfModels(tx, store.dialect, span),
    };
  });
}

const unused = {
  calls: 0,
  failedCalls: 0,
  answers: 0,
  failedAnswers: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cost: 0,
  estimatedCost: 0,
};
