import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyConversation, legalEvents } from '../../test/legal-events.ts';
import type { Block, ToolBlock } from '#shared/block.ts';
import type { Message } from '#shared/message.ts';
import { reduce } from '#shared/reduce.ts';
import { buildHistory, countCutRounds } from './history.ts';

const base = { messageId: 'a', content: '', startedAt: 1, endedAt: 2 };
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
    const history = buildHistory([answer(blocks)], 'm/1');
    expect(history.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
    expect(history[0]).toMatchObject({
      parts: [{ type: 'text' }, { type: 'tool-call', callId: 'c0' }, { callId: 'c1' }],
    });
  });

  it('leaves out a round that was cut and asked again', () => {
    const cut = answer([
      text(0, 'Half of the first try', 'interrupted'),
      tool(0, 'c0', { status: 'interrupted', state: 'proposed', result: undefined }),
      text(1, 'The second try.'),
    ]);
    expect(buildHistory([cut], 'm/1')).toEqual([
      { role: 'assistant', parts: [{ type: 'text', text: 'The second try.' }] },
    ]);
    expect(countCutRounds(cut, 1)).toBe(1);
    expect(countCutRounds(cut, 0)).toBe(0);
  });

  it('tells the model honestly what happened to a call without a result', () => {
    for (const state of ['outcome_unknown', 'cancelled', 'denied', 'timed_out'] as const) {
      const block = tool(0, 'c', { state, status: 'error', result: undefined });
      const [, results] = buildHistory([answer([block, text(1, 'ok')])], 'm/1');
      expect(results).toMatchObject({ results: [{ result: { isError: true } }] });
      expect(JSON.stringify(results)).toMatch(/unknown|cancelled|denied|too long/);
    }
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
    expect(JSON.stringify(buildHistory([message], 'm/1'))).toContain('sig');
    expect(JSON.stringify(buildHistory([message], 'm/2'))).not.toContain('hm');
  });

  it('pairs every call with exactly one result under an id of its own, whatever happened', () => {
    fc.assert(
      fc.property(legalEvents, (events) => {
        const { messages } = events.reduce(reduce, emptyConversation);
        const history = buildHistory(messages, 'm/1');
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
});

function callIds(parts: { type: string; callId?: string }[]): string[] {
  return parts.flatMap((part) => (part.type === 'tool-call' && part.callId ? [part.callId] : []));
}
