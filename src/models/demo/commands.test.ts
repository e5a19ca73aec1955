import { describe, expect, it } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelMessage } from '#shared/vocabulary/model.ts';
import {
  text,
  tool,
  time,
  fail,
  echo,
  conversation,
  namesOf,
} from '../../../test/fakes/demo-conversation.ts';
import { createDemoModel } from './model.ts';
import { demoProse } from './prose.ts';

describe('commands of the demo model', () => {
  it('/call runs lines in parallel and a blank line begins the next round', async () => {
    const rounds = await conversation().ask(
      '/call echo {"message": "one"}\n/call mcp__demo__echo {"message":\n  "two"}\n\ndemo__echo {"message": "three"}',
    );
    expect(rounds.map((round) => round.calls.map((call) => call.arguments['message']))).toEqual([
      ['one', 'two'],
      ['three'],
      [],
    ]);
    expect(rounds[2]?.text).toMatch(/one[^]*two[^]*three/);
  });

  it('/call says what is wrong', async () => {
    const { ask } = conversation([echo, tool('other__echo', {}, () => text('x'))]);
    expect((await ask('/call demo__echo {"message": '))[0]?.text).toContain('a JSON object');
    expect((await ask('/call demo__echo [1]'))[0]?.text).toContain('a JSON object');
    expect((await ask('/call echo {}'))[0]?.text).toContain('could be any of');
    expect((await ask('/call nosuch {}'))[0]?.calls).toEqual([
      { toolName: 'nosuch', arguments: {} },
    ]);
    expect((await conversation([]).ask('/call echo {}'))[0]?.text).toContain('any tools');
  });

  it('/call stops at the round limit with a summary', async () => {
    const rounds = await conversation().ask(
      '/call echo {"message": "a"}\n\n/call echo {"message": "b"}',
      1,
    );
    expect(rounds).toHaveLength(2);
    expect(rounds[1]?.text).toContain('`echo` returned: a');
  });

  it('/tour makes every stop and sums up', async () => {
    const rounds = await conversation().ask('/tour');
    expect(rounds.map(namesOf)).toEqual([
      ['get_current_time', 'list_directory'],
      ['show_image'],
      ['cite'],
      ['slow_task'],
      ['fail'],
      ['large_result'],
      [],
    ]);
    expect(rounds[0]?.types[0]).toBe('thinking-start');
    const summary = rounds.at(-1)?.text ?? '';
    expect(summary).toMatch(
      /^## [^]*\| Stop \| Tools \| Outcome \|[^]*`fail` \| failed \|[^]*```text\n\/call/,
    );
  });

  it('/tour leaves out what is not there', async () => {
    const rounds = await conversation([time, fail]).ask('/tour');
    expect(rounds.map(namesOf)).toEqual([['get_current_time'], ['fail'], []]);
    expect(rounds.at(-1)?.text).toContain('skipped: no such tool');
    expect(await conversation([]).ask('/tour')).toHaveLength(1);
  });

  it('/write gives exactly so many deltas of known text', async () => {
    const model = createDemoModel({ pace: 0 });
    const messages: ModelMessage[] = [
      { role: 'user', parts: [{ type: 'text', text: '/write 2000' }] },
    ];
    const deltas: string[] = [];
    const stream = model.stream(
      { purpose: 'answer', system: '', messages, tools: [], parameters: {} },
      new AbortController().signal,
    );
    for await (const batch of stream) {
      for (const chunk of batch) if (chunk.type === 'text-delta') deltas.push(chunk.text);
    }
    expect(deltas).toEqual(demoProse(2000));
    expect(demoProse(2000)).toHaveLength(2000);
    expect(demoProse(500)).toEqual(demoProse(2000).slice(0, 500));
  });

  it('/think, /error and nonsense', async () => {
    const { ask } = conversation();
    expect((await ask('/think 50'))[0]?.thinking).toBe(demoProse(50).join(''));
    expect((await ask('/error model_rate_limited'))[0]?.types).toEqual(['error']);
    expect((await ask('/error toString'))[0]?.text).toContain('no error code');
    expect((await ask('/write many'))[0]?.text).toContain('whole number');
    expect((await ask('/dance'))[0]?.text).toContain('don’t know');
  });

  it('stops when it is aborted, however long it still had to go', async () => {
    const controller = new AbortController();
    const messages: ModelMessage[] = [
      { role: 'user', parts: [{ type: 'text', text: '/write 100000' }] },
    ];
    const stream = createDemoModel({ pace: 60_000 }).stream(
      { purpose: 'answer', system: '', messages, tools: [], parameters: {} },
      controller.signal,
    );
    const chunks: Chunk[] = [];
    for await (const batch of stream) {
      chunks.push(...batch);
      setImmediate(() => controller.abort());
    }
    expect(chunks.at(-1)).toMatchObject({ type: 'error', error: { code: 'cancelled' } });
    expect(chunks.length).toBeLessThan(10);
  });
});
