import { describe, expect, it } from 'vitest';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import { isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import { block, input, messageEnd, messageStart } from '../fakes/anthropic-streams.ts';
import type { ReplayedRequest } from '../fakes/vendor-replay.ts';
import { owner } from '../host.ts';
import { bytesOf, farewell } from './recorded.ts';
import { plainTool, useReplayHost } from './replay-host.ts';

const toolBlocks = ({ blocks }: Message) =>
  blocks.filter((block): block is ToolBlock => block.type === 'tool');

/** One answer of chat completions that makes calls, each given as id and arguments. */
function calls(...made: [id: string, args: string][]): Buffer {
  const tool_calls = made.map(([id, args], index) => ({
    index,
    id,
    type: 'function',
    function: { name: 'add', arguments: args },
  }));
  return bytesOf('openai-chat', [
    { choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  ]);
}

interface Sent {
  messages: { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[];
  tools?: unknown[];
}

/** The ids of calls and of results that a request carries. */
function idsIn(request: ReplayedRequest): { called: string[]; answered: string[] } {
  const { messages } = request.body as unknown as Sent;
  return {
    called: messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)),
    answered: messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id])),
  };
}

describe('T56: a model that calls tools in a way no model should', () => {
  it('may make a thousand calls at once: the first few run, each gets an outcome', async () => {
    let executed = 0;
    const { provider } = await useReplayHost([plainTool('add', () => String((executed += 1)))]);
    const vendor = await provider('openai-compatible');
    const made = Array.from({ length: 1000 }, (_, n): [string, string] => [`c${n}`, `{"a":${n}}`]);
    vendor.play({ bytes: calls(...made) }, { bytes: farewell('openai-chat') });
    const answer = await vendor.ask();
    expect(answer.status).toBe('success');
    expect(executed).toBe(usualLimits.callsPerTurn);
    const codes = toolBlocks(answer).map(({ error }) => error?.code);
    expect(codes).toHaveLength(1000);
    expect(codes.slice(usualLimits.callsPerTurn).every((code) => code === 'call_limit')).toBe(true);
    const { called, answered } = idsIn(vendor.requests[1]!);
    expect(new Set(called).size).toBe(1000);
    expect(answered).toEqual(called);
  });

  it('may use one id for all calls, in a round and from round to round', async () => {
    const { provider } = await useReplayHost([plainTool('add')]);
    const vendor = await provider('openai-compatible');
    vendor.play(
      { bytes: calls(['call_0', '{"a":1}'], ['call_0', '{"a":2}']) },
      { bytes: calls(['call_0', '{"a":3}'], ['call_0', '{"a":4}']) },
      { bytes: farewell('openai-chat') },
    );
    const answer = await vendor.ask();
    expect(answer.status).toBe('success');
    expect(toolBlocks(answer).map(({ arguments: args, state }) => [args['a'], state])).toEqual(
      [1, 2, 3, 4].map((a) => [a, 'succeeded']),
    );
    expect(new Set(toolBlocks(answer).map(({ toolCallId }) => toolCallId)).size).toBe(4);
    const { called, answered } = idsIn(vendor.requests[2]!);
    expect(new Set(called).size).toBe(4);
    expect(answered).toEqual(called);
  });

  it('may never stop calling: it is asked for an answer without tools, and then it is over', async () => {
    const { provider } = await useReplayHost([plainTool('add')]);
    const vendor = await provider('openai-compatible');
    const rounds = Array.from({ length: usualLimits.roundsPerTurn + 5 }, (_, n) => ({
      bytes: calls([`c${n}`, `{"a":${n}}`]),
    }));
    vendor.play(...rounds);
    const answer = await vendor.ask();
    expect(isMessageRunning(answer)).toBe(false);
    expect(vendor.requests).toHaveLength(usualLimits.roundsPerTurn + 1);
    expect((vendor.requests.at(-1)!.body as unknown as Sent).tools ?? []).toEqual([]);
    expect(
      toolBlocks(answer).filter(({ state }) => state === 'succeeded').length,
    ).toBeLessThanOrEqual(usualLimits.roundsPerTurn);
  });

  const broken = '{"a": "b';
  it.each([
    ['openai-chat', 'openai-compatible', calls(['x', broken])],
    [
      'openai-responses',
      'openai',
      bytesOf('openai-responses', [
        {
          type: 'response.output_item.done',
          output_index: 0,
          item: { type: 'function_call', call_id: 'x', name: 'add', arguments: broken },
        },
        { type: 'response.completed', response: {} },
      ]),
    ],
    [
      'anthropic',
      'anthropic',
      bytesOf('anthropic', [
        messageStart,
        ...block(0, { type: 'tool_use', id: 'x', name: 'add', input: {} }, input(broken)),
        ...messageEnd('tool_use'),
      ]),
    ],
  ])(
    'may write what is no JSON: the call is refused and the model told, %s',
    async (wire, kind, bytes) => {
      let executed = 0;
      const { provider } = await useReplayHost([plainTool('add', () => String((executed += 1)))]);
      const vendor = await provider(kind);
      vendor.play({ bytes }, { bytes: farewell(wire) });
      const answer = await vendor.ask();
      expect(answer.status).toBe('success');
      expect(toolBlocks(answer)).toMatchObject([{ error: { code: 'invalid_arguments' } }]);
      expect(executed).toBe(0);
      expect(JSON.stringify(vendor.requests[1]?.body)).toMatch(
        /not (a )?valid|no JSON|JSON object/i,
      );
    },
  );
});

describe('T94: a model that calls for ever what cannot run', () => {
  const named = (n: number, name: string, args: string) =>
    bytesOf('openai-chat', [
      {
        choices: [
          {
            delta: { tool_calls: [{ index: 0, id: `c${n}`, function: { name, arguments: args } }] },
          },
        ],
      },
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
    ]);
  const strict = { ...plainTool('add'), inputSchema: { type: 'object', required: ['a'] } };

  it.each<[string, (n: number) => Buffer]>([
    ['the same missing tool', () => named(0, 'no_such_tool', '{}')],
    ['another missing tool each time', (n) => named(n, `tool_${n}`, '{}')],
    ['bad arguments, others each time', (n) => named(n, 'add', `{"b":${n}}`)],
    ['what is no JSON', (n) => named(n, 'add', `{"b":${n}`)],
    ['a tool that a rule denies', (n) => named(n, 'forbidden', `{"a":${n}}`)],
  ])('is asked three times, then for an answer without tools: %s', async (_, round) => {
    const { provider, host } = await useReplayHost([strict, plainTool('forbidden')]);
    const rules = [{ action: 'deny' as const, toolName: 'forbidden' }];
    await host.policy.write(owner, { rules, trustedServers: [], safeToRepeat: [] });
    const vendor = await provider('openai-compatible');
    vendor.play(
      ...[0, 1, 2].map((n) => ({ bytes: round(n) })),
      { bytes: farewell('openai-chat') },
      { bytes: round(4) },
    );
    const answer = await vendor.ask();
    expect(answer.status).toBe('success');
    expect(toolBlocks(answer)).toHaveLength(3);
    expect(answer.blocks.at(-1)).toMatchObject({ type: 'main_text', content: 'Done.' });
    expect(vendor.requests).toHaveLength(4);
    const sent = vendor.requests.map(({ body }) => body as unknown as Sent);
    expect(sent.map(({ tools = [] }) => tools.length > 0)).toEqual([true, true, true, false]);
    expect(JSON.stringify(sent[3]?.messages[0])).toContain('Tools can no longer be used');
  });

  it.each<[string, number, (n: number) => [name: string, args: string][]]>([
    [
      'beside calls that run',
      3,
      (n) => [
        ['add', `{"a":${n}}`],
        ['no_such_tool', '{}'],
      ],
    ],
    ['between calls that run', 5, (n) => [n % 2 ? ['add', `{"a":${n}}`] : ['no_such_tool', '{}']]],
    [
      'by other names beside them',
      8,
      (n) => [
        ['add', `{"a":${n}}`],
        [`tool_${n}`, '{}'],
      ],
    ],
  ])('is asked for an answer without tools, %s', async (_, rounds, round) => {
    const { provider } = await useReplayHost([strict]);
    const vendor = await provider('openai-compatible');
    const bytes = (n: number) =>
      bytesOf('openai-chat', [
        {
          choices: [
            {
              delta: {
                tool_calls: round(n).map(([name, args], index) => ({
                  index,
                  id: `c${n}_${index}`,
                  function: { name, arguments: args },
                })),
              },
            },
          ],
        },
        { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
      ]);
    vendor.play(
      ...Array.from({ length: rounds }, (__, n) => ({ bytes: bytes(n) })),
      { bytes: farewell('openai-chat') },
      ...Array.from({ length: 20 }, (__, n) => ({ bytes: bytes(rounds + n) })),
    );
    const answer = await vendor.ask();
    expect(answer.status).toBe('success');
    expect(vendor.requests).toHaveLength(rounds + 1);
    const { tools = [] } = vendor.requests.at(-1)!.body as unknown as Sent;
    expect(tools).toEqual([]);
  });
});
