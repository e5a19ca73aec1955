import { expect, it } from 'vitest';
import type { CallQuestion } from '#chat/calls/asker.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { McpClient } from './client.ts';
import { McpExchange } from './exchange.ts';

const client: McpClient = { era: 'modern', version: '2026-07-28', capabilities: {} };

function question(key: string, answer: (result: JsonObject) => void): CallQuestion {
  return {
    key,
    serverName: 'S',
    method: 'elicitation/create',
    params: { message: 'Who?' },
    answer: async (result) => answer(result),
    refuse: async () => undefined,
    over: new AbortController().signal,
  };
}

it('keeps what the newest request brought for questions that are still to come, and no more', async () => {
  const exchange = new McpExchange(client);
  const taken: JsonObject[] = [];
  const ask = (key: string) => exchange.coming()(question(key, (result) => taken.push(result)));
  await exchange.give({ old: { action: 'accept' } });
  await exchange.give({ next: { action: 'decline' } });
  ask('next');
  await expect.poll(() => taken).toEqual([{ action: 'decline' }]);
  ask('old');
  const round = await exchange.next();
  expect('asked' in round && [...round.asked.keys()]).toEqual(['old']);
});
