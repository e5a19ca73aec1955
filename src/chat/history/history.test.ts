import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, ToolBlock } from '#shared/vocabulary/block.ts';
import { usualLimits } from '#shared/vocabulary/limits.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import type { ModelCapabilities, ModelMessage } from '#shared/vocabulary/model.ts';
import { reduce } from '#shared/vocabulary/reduce.ts';
import { emptyConversation, legalEvents } from '../../../test/legal-events.ts';
import { buildHistory, countCutRounds } from './history.ts';

const base = { messageId: 'a', content: '', startedAt: 1, endedAt: 2 };
const own = { model: 'm/1', limits: usualLimits };
const input = { imagesIn: true, audioIn: true, filesIn: true };
const everything: ModelCapabilities = { ...input, tools: true, imagesOut: true, reasoning: true };
let ordinal = 0;

function text(round: number, content: string, status: Block['status'] = 'success'): Block {
  ordinal += 1;
  return { ...base, id: `a.${ordinal}`, ordinal, round, type: 'main_text', status, content };
}

function tool(round: number, callId: string, fields: Partial<ToolBlock> = {}): ToolBlock {
  ordinal += 1;
  return {
    ...base,
    id: `a.${ordinal}`,
    ordinal,
    round,
    type: 'tool',
    status: 'success',
    state: 'succeeded',
    toolCallId: `t${ordinal}`,
    callId,
    serverId: 's',
    serverName: 's',
    toolName: 'read',
    modelToolName: 's__read',
    arguments: { path: 'x' },
    result: { content: [{ type: 'text', text: `result of ${callId}` }] },
    ...fields,
  };
}

function question(content = 'What?', fields: Partial<Message> = {}): Message {
  const block = { ...text(0, content), messageId: 'u' };
  return {
    id: 'u',
    topicId: 't',
    parentId: null,
    role: 'user',
    status: 'success',
    createdAt: 0,
    endedAt: 0,
    blocks: [block],
    ...fields,
  };
}

function answer(blocks: Block[], status: Message['status'] = 'success'): Message {
  return {
    id: 'a',
    topicId: 't',
    parentId: 'u',
    role: 'assistant',
    status,
    model: 'm/1',
    createdAt: 1,
    endedAt: 2,
    blocks,
  };
}

describe('the history a model gets', () => {
  it('groups calls and results by round, in the roles they have', () => {
    const blocks = [text(0, 'Let me look.'), tool(0, 'c0'), tool(0, 'c1'), text(1, 'Found it.')];
    const history = buildHistory([question(), answer(blocks)], {
      model: 'm/1',
      limits: usualLimits,
    });
    expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(history[1]).toMatchObject({
      parts: [{ type: 'text' }, { type: 'tool-call', callId: 'c0' }, { callId: 'c1' }],
    });
  });

  it('leaves out a round that was cut and asked again', () => {
    const cut = answer([
      text(0, 'Half of the first try', 'interrupted'),
      tool(0, 'c0', { status: 'interrupted', state: 'proposed', result: undefined }),
      text(1, 'The second try.'),
    ]);
    expect(buildHistory([question(), cut], { model: 'm/1', limits: usualLimits })).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'What?' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'The second try.' }] },
    ]);
    expect(countCutRounds(cut, 1)).toBe(1);
    expect(countCutRounds(cut, 0)).toBe(0);
  });

  it('tells the model honestly what happened to a call without a result', () => {
    for (const state of ['outcome_unknown', 'cancelled', 'denied', 'timed_out'] as const) {
      const block = tool(0, 'c', { state, status: 'error', result: undefined });
      const messages = [question(), answer([block, text(1, 'ok')])];
      const [, , results] = buildHistory(messages, own);
      expect(results).toMatchObject({ results: [{ result: { isError: true } }] });
      expect(JSON.stringify(results)).toMatch(/unknown|cancelled|denied|too long/);
    }
  });

  it.each([
    ['cancelled', 'left', /may have had an effect/],
    ['cancelled', 'never-left', /did not run/],
    ['timed_out', 'left', /may have had an effect/],
    ['timed_out', 'never-left', /did not run/],
    ['failed', 'left', /No\. It may have taken effect/],
    ['failed', 'ended', /No\."/],
  ] as const)('T76: tells the model of a call that %s and %s', (state, reach, told) => {
    const ended = { error: { code: 'http_error', message: 'No.' }, result: undefined } as const;
    const block = tool(0, 'c', { state, reach, status: 'error', ...ended });
    expect(JSON.stringify(buildHistory([question(), answer([block])], own))).toMatch(told);
  });

  it('gives thinking back only to the model that thought it', () => {
    const thinking: Block = {
      ...base,
      id: 'a.0',
      ordinal: 0,
      round: 0,
      type: 'thinking',
      status: 'success',
      content: 'hm',
      signature: 'sig',
    };
    const message = answer([thinking, text(0, 'Yes.')]);
    expect(
      JSON.stringify(buildHistory([message], { model: 'm/1', limits: usualLimits })),
    ).toContain('sig');
    expect(
      JSON.stringify(buildHistory([message], { model: 'm/2', limits: usualLimits })),
    ).not.toContain('hm');
  });

  it('tells the model that a tool it asked for does not exist', () => {
    const error = { code: 'tool_not_found', message: 'There is no tool named x y.' } as const;
    const fields = { serverId: '', modelToolName: 'x y', result: undefined, error };
    const block = tool(0, 'c', { state: 'failed', status: 'error', ...fields });
    const [, call, results] = buildHistory([question(), answer([block], 'processing')], own);
    expect(call).toMatchObject({ parts: [{ toolName: 'x_y' }] });
    expect(JSON.stringify(results)).toContain('no tool named');
  });

  it('leaves out a search that the vendor ran itself', () => {
    const search = tool(0, 'c', { serverId: '', modelToolName: 'web_search', result: undefined });
    const history = buildHistory([question(), answer([search, text(0, 'Found.')])], own);
    expect(history[1]).toEqual({ role: 'assistant', parts: [{ type: 'text', text: 'Found.' }] });
  });

  it('T95: gives code that the vendor ran back in words, and no other call of its own', () => {
    const result = { content: [{ type: 'text' as const, text: '3' }] };
    const run = (toolName: string, args: ToolBlock['arguments']) =>
      tool(0, 'v', { serverId: '', vendor: 'Maker', toolName, arguments: args, result });
    const blocks = [
      run('code_execution', { code: 'print(3)' }),
      run('bash_code_execution', { command: 'ls' }),
      run('mcp_weather', { city: 'Paris' }),
      tool(0, 'own'),
      text(0, 'Found.'),
    ];
    const [, said, results] = buildHistory([question(), answer(blocks, 'processing')], own);
    expect(said?.role === 'assistant' && said.parts).toMatchObject([
      { text: '```python\nprint(3)\n```\n' },
      { text: '```\n3\n```\n' },
      { text: '```bash\nls\n```\n' },
      { text: '```\n3\n```\n' },
      { type: 'tool-call', callId: 'own' },
      { text: 'Found.' },
    ]);
    expect(results).toMatchObject({ role: 'tool', results: [{ callId: 'own' }] });
  });

  it('keeps the ids of the target, and gives calls of others nine letters and digits', () => {
    const path = [question(), answer([tool(0, 'call_0'), tool(0, 'call_1'), tool(1, 'call_0')])];
    const kept = idsOf(buildHistory(path, own));
    expect(kept.slice(0, 2)).toEqual(['call_0', 'call_1']);
    expect(kept[2]).toMatch(/^[A-Za-z0-9]{9}$/);
    for (const id of idsOf(buildHistory(path, { model: 'mistral/x', limits: usualLimits })))
      expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
  });

  it('gives the signature of a call back only to the model that made it', () => {
    const path = [question(), answer([tool(0, 'c', { signature: 'sig' })])];
    expect(JSON.stringify(buildHistory(path, own))).toContain('"signature":"sig"');
    expect(JSON.stringify(buildHistory(path, { model: 'm/2', limits: usualLimits }))).not.toContain(
      'sig',
    );
  });

  it('gives unsigned thinking back only within the turn it belongs to', () => {
    const thought: Block = { ...text(0, 'hm'), type: 'thinking' };
    const path = [question(), answer([thought, tool(0, 'c')], 'processing')];
    expect(JSON.stringify(buildHistory(path, own))).toContain('"hm"');
    const later = [...path, question('And?', { id: 'u2' })];
    expect(JSON.stringify(buildHistory(later, own))).not.toContain('"hm"');
  });

  it('ends an answer in words where a new message came before it had any', () => {
    const path = [question(), answer([tool(0, 'c')]), question('Stop that.', { id: 'u2' })];
    const roles = buildHistory(path, own).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  });

  it('joins questions that got no answer into one message', () => {
    const path = [question('One?'), answer([]), question('Two?', { id: 'u2' })];
    expect(buildHistory(path, own)).toMatchObject([
      { parts: [{ text: 'One?' }, { text: 'Two?' }] },
    ]);
  });

  it('shows an image that a model made to whoever takes images, with the next question', () => {
    const image: Block = { ...text(0, ''), type: 'image', mimeType: 'image/png', data: 'aW1n' };
    const path = [question(), answer([image]), question('Bluer.', { id: 'u2' })];
    expect(buildHistory(path, own).at(-1)).toMatchObject({
      parts: [{ text: 'The image you made:' }, { type: 'file', data: 'aW1n' }, { text: 'Bluer.' }],
    });
    const blind = { ...everything, imagesIn: false };
    const described = buildHistory(path, { ...own, capabilities: blind });
    expect(JSON.stringify(described)).toContain('[Image: image/png]');
    expect(JSON.stringify(described)).not.toContain('aW1n');
  });

  it('gives a small model no more of a result than a quarter of its context', () => {
    const long = { content: [{ type: 'text' as const, text: 'x'.repeat(60_000) }] };
    const path = [question(), answer([tool(0, 'c', { result: long })])];
    const capabilities = { ...everything, contextTokens: 8192 };
    expect(JSON.stringify(buildHistory(path, own)).length).toBeGreaterThan(60_000);
    expect(JSON.stringify(buildHistory(path, { ...own, capabilities })).length).toBeLessThan(9000);
  });

  it('pairs every call with exactly one result under an id of its own, whatever happened', () => {
    fc.assert(
      fc.property(legalEvents, (events) => {
        const { messages } = events.reduce(reduce, emptyConversation);
        const history = buildHistory(messages, own);
        const asked: string[] = [];
        for (const [index, entry] of history.entries()) {
          if (entry.role === 'user') continue;
          if (entry.role === 'tool') {
            const before = history[index - 1];
            const wanted = before?.role === 'assistant' ? callIds(before.parts) : [];
            expect(entry.results.map(({ callId }) => callId)).toEqual(wanted);
          } else asked.push(...callIds(entry.parts));
        }
        expect(new Set(asked).size).toBe(asked.length);
        const answered = history.flatMap((entry) =>
          entry.role === 'tool' ? entry.results.map(({ callId }) => callId) : [],
        );
        expect(answered).toEqual(asked);
      }),
    );
  });

  it('tells the model the numbers of the sources a call gave', () => {
    const structured = { results: [{ url: 'https://a.example/' }] };
    const search = tool(0, 'c1', { result: { content: [], structuredContent: structured } });
    const plain = tool(0, 'c2');
    ordinal += 1;
    const sources: Block = {
      ...base,
      id: `a.${ordinal}`,
      ordinal,
      round: 0,
      type: 'citation',
      status: 'success',
      citations: [
        { number: 4, url: 'https://a.example/' },
        { number: 5, title: 'A book' },
      ],
      toolBlockId: search.id,
    };
    const blocks = [search, plain, sources, text(1, 'See [4].')];
    const history = buildHistory([question(), answer(blocks)], own);
    const results = history[2]?.role === 'tool' ? history[2].results : [];
    expect(results.map(({ result }) => result.content)).toEqual([
      [
        { type: 'text', text: JSON.stringify(structured) },
        {
          type: 'text',
          text: 'Cite these sources by their numbers:\n[4] https://a.example/\n[5] A book',
        },
      ],
      [{ type: 'text', text: 'result of c2' }],
    ]);
  });

  it('gives code that the vendor ran and files that the model made back in words', () => {
    const made = (fields: Partial<Block>): Block => {
      ordinal += 1;
      return {
        ...base,
        id: `a.${ordinal}`,
        ordinal,
        round: 0,
        status: 'success',
        ...fields,
      } as Block;
    };
    const blocks = [
      made({ type: 'code', content: 'print(1)', language: 'Python' }),
      made({ type: 'file', name: 'a.csv', mimeType: 'text/csv', stored: { id: 'b', size: 3 } }),
      made({ type: 'main_text', content: 'Done.', signature: 'signed' }),
    ];
    const parts = (model: string) => {
      const history = buildHistory([question(), answer(blocks)], { model, limits: usualLimits });
      return history[1]?.role === 'assistant' ? history[1].parts : [];
    };
    expect(parts('m/1')).toEqual([
      { type: 'text', text: '```python\nprint(1)\n```\n' },
      { type: 'text', text: '[File: a.csv, text/csv]' },
      { type: 'text', text: 'Done.', signature: 'signed' },
    ]);
    expect(parts('other/1').at(-1)).toEqual({ type: 'text', text: 'Done.' });
  });

  it('gives a model at most eight media of one result', () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
    const many = tool(0, 'c1', { result: { content: Array.from({ length: 10 }, () => image) } });
    const history = buildHistory([question(), answer([many, text(1, 'Many.')])], own);
    const result = history[2]?.role === 'tool' ? history[2].results[0]?.result : undefined;
    expect(result?.content.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 8 }, () => 'image'),
      'text',
      'text',
    ]);
  });

  it('tells a model with little room how to read the rest of what it is given in part', () => {
    const long = tool(0, 'c1', { result: { content: [{ type: 'text', text: 'x'.repeat(9000) }] } });
    const target = { ...own, capabilities: { ...everything, contextTokens: 4000 } };
    const history = buildHistory([question(), answer([long, text(1, 'Long.')])], target);
    const result = history[2]?.role === 'tool' ? history[2].results[0]?.result : undefined;
    const [cut, note] = result?.content ?? [];
    expect(cut).toMatchObject({ text: expect.stringContaining('characters left out') as string });
    expect(note).toMatchObject({
      text: expect.stringContaining(`read_more with id "${long.toolCallId}.0" and from `) as string,
    });
  });

  it('gives the very same messages for a round that is over, however the answer goes on', () => {
    const blocks = [text(0, 'Let me look.'), tool(0, 'c0'), tool(1, 'c1')];
    const target = { ...own, capabilities: everything };
    const before = buildHistory([question(), answer(blocks)], target);
    const after = buildHistory([question(), answer([...blocks, text(2, 'Done.')])], target);
    expect(after.slice(1, 5).every((message, at) => message === before[at + 1])).toBe(true);
    expect(after[1]).toBeDefined();
  });

  it('gives what it would give without having given anything before', () => {
    const thinking: Block = { ...text(1, 'hm'), type: 'thinking', signature: 's' };
    const aloud: Block = { ...text(2, 'aha'), type: 'thinking' };
    const running = tool(3, 'c0', {
      status: 'processing',
      state: 'dispatching',
      result: undefined,
    });
    const ended = { ...running, status: 'success', state: 'succeeded', result: { content: [] } };
    const picture: Block = { ...text(4, ''), type: 'image', mimeType: 'image/png', data: 'AQID' };
    const signed: Block = { ...text(5, 'Done.'), type: 'main_text', signature: 's' };
    const image = { type: 'image', data: 'AQID', mimeType: 'image/png' } as const;
    const looked = [text(0, 'Let me look.'), tool(0, 'c0', { result: { content: [image] } })];
    const thought = [thinking, tool(1, 'c0'), aloud, tool(2, 'c/2')];
    const blocks = [...looked, ...thought, text(3, 'Now')];
    const last = [picture, tool(4, 'c4'), signed];
    const earlier = { ...answer([tool(0, 'c0')]), id: 'b' };
    const paths: Message[][] = [
      [question(), answer(blocks.slice(0, 3))],
      [question(), answer([...blocks, running])],
      [question(), answer([...blocks, ended as ToolBlock])],
      [question(), answer([...blocks, ended as ToolBlock, ...last])],
      [question(), earlier, question('And?'), answer([...blocks, running, ...last])],
      [question(), answer([...blocks, running, ...last]), question('And?')],
    ];
    for (const capabilities of [everything, { ...everything, imagesIn: false }])
      for (const path of [...paths, ...paths])
        for (const model of path.length === 3 ? ['m/1', 'm/1', 'm/2'] : ['m/1'])
          expect(buildHistory(path, { ...own, model, capabilities })).toEqual(
            buildHistory(structuredClone(path), { ...own, model, capabilities }),
          );
  });
});

function idsOf(history: ModelMessage[]): string[] {
  return callIds(history.flatMap((message) => (message.role === 'tool' ? [] : message.parts)));
}

function callIds(parts: { type: string; callId?: string }[]): string[] {
  return parts.flatMap(({ type, callId }) => (type === 'tool-call' && callId ? [callId] : []));
}
