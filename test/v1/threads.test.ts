import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { describe, expect, it } from 'vitest';
import type { CreatedKeyView } from '#shared/api/people-api.ts';
import { calls, says } from '../fakes/scripted-model.ts';
import { addPerson } from '../fixtures/people.ts';
import { clientsOf, model, openV1 } from '../fixtures/v1.ts';

const settings = { model, max_tokens: 100, system: 'Be brief.' };

/** A tool of the program, and what it was called with. */
function noted() {
  const notes: unknown[] = [];
  const mine = betaTool({
    name: 'mine',
    description: 'Mine',
    inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
    run: (input) => {
      notes.push(input);
      return 'mine says hello';
    },
  });
  return { mine, notes };
}

describe('threads of Anthropic’s official client', () => {
  it.each([true, false])(
    'run tools, each request with new messages alone, streamed: %s',
    async (stream) => {
      const { anthropic, scripted } = await openV1([
        calls(['mine', { a: 1 }]),
        calls(['mine', { a: 2 }]),
        says('Done.'),
      ]);
      const { mine, notes } = noted();
      const runner = anthropic.beta.messages.toolRunner({
        ...settings,
        messages: [{ role: 'user', content: 'Do it' }],
        tools: [mine],
        stream,
      });
      expect(await runner.runUntilDone()).toMatchObject({ content: [{ text: 'Done.' }] });
      expect(notes).toEqual([{ a: 1 }, { a: 2 }]);
      const [, , last] = scripted.requests;
      expect(last?.messages.map(({ role }) => role)).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
        'tool',
      ]);
      expect(last?.system).toContain('Be brief.');
      expect(last?.tools.map(({ name }) => name)).toContain('mine');
    },
  );

  it('go on from the message that they name, whatever came after it', async () => {
    const { anthropic, scripted } = await openV1([says('One.'), says('Two.'), says('Other.')]);
    const first = await anthropic.beta.messages.create({
      ...settings,
      messages: [{ role: 'user', content: 'Count' }],
      thread: { type: 'create' },
    });
    const next = (content: string) =>
      anthropic.beta.messages.create({
        model,
        max_tokens: 100,
        messages: [{ role: 'user', content }],
        thread: { type: 'continue', previous_message_id: first.id },
      });
    await next('More');
    await next('Or so');
    expect(JSON.stringify(scripted.requests[2]?.messages)).toMatch(/Count.*One\..*Or so/);
    expect(JSON.stringify(scripted.requests[2]?.messages)).not.toContain('Two.');
  });

  it('continue nothing but a message that was stored as part of one', async () => {
    const { anthropic, openai, scripted } = await openV1([says('One.'), says('Two.')]);
    const response = await openai.responses.create({ model, input: 'Hi' });
    const message = await anthropic.beta.messages.create({
      ...settings,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    for (const id of [response.id.replace('resp_', 'msg_'), message.id])
      await expect(
        anthropic.beta.messages.create({
          ...settings,
          messages: [{ role: 'user', content: 'More' }],
          thread: { type: 'continue', previous_message_id: id },
        }),
      ).rejects.toMatchObject({ status: 404, errorCode: 'thread_not_found' });
    expect(scripted.requests).toHaveLength(2);
  });

  it('T97: are nobody else’s: their client sends the conversation again', async () => {
    const api = await openV1([says('Secret.'), says('Hello.'), says('Again.')]);
    const first = await api.anthropic.beta.messages.create({
      ...settings,
      messages: [{ role: 'user', content: 'Mine' }],
      thread: { type: 'create' },
    });
    const ben = await addPerson(api, 'Ben');
    const key = { name: 'a program', scopes: ['chat'] };
    const { key: token } = await ben.json<CreatedKeyView>('POST', '/api/keys', key);
    const { anthropic } = clientsOf(api, token);
    const taken = anthropic.beta.messages.create({
      model,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'What was said?' }],
      thread: { type: 'continue', previous_message_id: first.id },
    });
    await expect(taken).rejects.toMatchObject({ status: 404, errorCode: 'thread_not_found' });
    expect(api.scripted.requests).toHaveLength(1);
    const thread = anthropic.beta.messages.thread(settings);
    await thread.send({ role: 'user', content: 'Hi' });
    await api.host.store.db.deleteFrom('runs').execute();
    const answer = await thread.send({ role: 'user', content: 'Still there?' });
    expect(answer.content).toMatchObject([{ text: 'Again.' }]);
    expect(JSON.stringify(api.scripted.requests[2]?.messages)).toMatch(/Hi.*Hello.*Still there/);
  });
});
