import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';
import { describe, expect, it } from 'vitest';
import type { CreatedKeyView } from '#shared/api/people-api.ts';
import { describeEachDatabase } from '../databases.ts';
import { calls, says } from '../fakes/scripted-model.ts';
import { errorOf } from '../fixtures/http.ts';
import { addPerson } from '../fixtures/people.ts';
import { callsOf, newTopic, openChat, PlainChat, textOf } from '../fixtures/ui-chat.ts';
import { clientsOf, noting, openV1 } from '../fixtures/v1.ts';

describe('a call that needs approval', () => {
  const pay = (notes: unknown[]) => noting(notes, { name: 'pay', writes: true, result: 'Paid.' });

  it.each([
    { approved: true, made: 1, state: 'output-available' },
    { approved: false, made: 0, state: 'output-denied' },
  ])('is asked about in the page, and goes on in the same message: $approved', async (wanted) => {
    const notes: unknown[] = [];
    const api = await openV1(
      [
        [...says('Wait.').slice(0, 3), ...calls(['pay', { what: 'it' }], ['look_up', {}])],
        says('Done.'),
      ],
      { tools: [pay(notes), noting([])] },
    );
    const topicId = await newTopic(api);
    const chat = new PlainChat(api.fetch, topicId, {
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    await chat.sendMessage({ text: 'Pay' });
    expect(chat.status).toBe('ready');
    expect(notes).toEqual([]);
    const [asked, other] = callsOf(chat.answer);
    expect(asked).toMatchObject({ state: 'approval-requested', input: { what: 'it' } });
    expect(other?.state).toBe('output-available');
    await chat.addToolApprovalResponse({
      id: asked?.approval?.id ?? '',
      approved: wanted.approved,
    });
    await expect.poll(() => textOf(chat.answer)).toBe('Wait.Done.');
    await expect.poll(() => chat.status).toBe('ready');
    expect(notes).toHaveLength(wanted.made);
    expect(chat.messages).toHaveLength(2);
    expect(callsOf(chat.answer).map(({ state }) => state)).toEqual([
      wanted.state,
      'output-available',
    ]);
    expect(chat.answer.parts.map(({ type }) => type)).toEqual([
      'step-start',
      'text',
      'dynamic-tool',
      'dynamic-tool',
      'step-start',
      'text',
    ]);
  });

  it('is asked about again by a page that was opened later', async () => {
    const notes: unknown[] = [];
    const { api, topicId, chat } = await openChat([calls(['pay', {}]), says('Done.')], {
      tools: [pay(notes)],
    });
    await chat.sendMessage({ text: 'Pay' });
    const later = new PlainChat(api.fetch, topicId, { messages: chat.messages.slice(0, 1) });
    await later.resumeStream();
    const [asked] = callsOf(later.answer);
    await later.addToolApprovalResponse({ id: asked?.approval?.id ?? '', approved: true });
    await later.sendMessage();
    expect(textOf(later.answer)).toBe('Done.');
    // The first page says no too late.
    await chat.addToolApprovalResponse({ id: asked?.approval?.id ?? '', approved: false });
    await chat.sendMessage();
    expect(callsOf(chat.answer)).toMatchObject([{ state: 'output-available' }]);
    expect(textOf(chat.answer)).toBe('Done.');
    expect(notes).toHaveLength(1);
  });
});

describe('what a page may not (T97)', () => {
  const ask = (text: string, more: object = {}) => ({
    messages: [{ id: 'a', role: 'user', parts: [{ type: 'text', text }] }],
    ...more,
  });

  it('T97: gets nothing of another person by an id', async () => {
    const notes: unknown[] = [];
    const { api, topicId, chat } = await openChat([calls(['pay', {}])], {
      tools: [noting(notes, { name: 'pay', writes: true })],
    });
    await chat.sendMessage({ text: 'Pay' });
    const ben = await addPerson(api, 'Ben');
    const own = await newTopic(ben);
    const uploaded = await api.send('POST', '/api/files?name=a.txt', 'secret', {
      'content-type': 'text/plain',
    });
    const { url } = (await uploaded.json()) as { url: string };
    const [call] = callsOf(chat.answer);
    const approving = [
      {
        ...chat.answer,
        parts: [{ ...call, state: 'approval-responded', approval: { approved: true } }],
      },
    ];
    const file = [{ id: 'a', role: 'user', parts: [{ type: 'file', url, mediaType: 'a/b' }] }];
    const tries = [
      ben.send('GET', `/api/topics/${topicId}/ui`),
      ben.send('POST', `/api/topics/${topicId}/ui`, ask('Hi')),
      ben.send('POST', `/api/topics/${topicId}/ui`, { messages: approving }),
      ben.send('POST', `/api/topics/${own}/ui`, { messages: approving }),
      ben.send('POST', `/api/topics/${own}/ui`, { messages: file }),
    ];
    for (const response of await Promise.all(tries)) expect(response.status).toBe(404);
    const regenerating = { trigger: 'regenerate-message', messageId: chat.answer.id };
    const made = await ben.send('POST', `/api/topics/${own}/ui`, ask('Mine', regenerating));
    expect(await made.text()).not.toContain(chat.answer.id);
    expect(notes).toEqual([]);
  });

  it('T97: decides nothing about a call of another answer or another chat', async () => {
    const notes: unknown[] = [];
    const { api, topicId, chat } = await openChat([calls(['pay', {}]), says('Hi.')], {
      tools: [noting(notes, { name: 'pay', writes: true })],
    });
    await chat.sendMessage({ text: 'Pay' });
    const otherId = await newTopic(api);
    const other = new PlainChat(api.fetch, otherId);
    await other.sendMessage({ text: 'Hi' });
    const [call] = callsOf(chat.answer);
    const parts = [{ ...call, state: 'approval-responded', approval: { approved: true } }];
    const post = async (topic: string, id: string) =>
      errorOf(
        await api.send('POST', `/api/topics/${topic}/ui`, {
          messages: [{ id, role: 'assistant', parts }],
        }),
      );
    expect(await post(otherId, chat.answer.id)).toMatchObject({ code: 'answer_not_found' });
    expect(await post(topicId, other.answer.id)).toMatchObject({ code: 'answer_not_found' });
    expect(await post(otherId, other.answer.id)).toMatchObject({ code: 'tool_call_not_found' });
    expect(notes).toEqual([]);
  });

  it('T86: decides nothing about a tool that its key is not for', async () => {
    const notes: unknown[] = [];
    const { api, topicId, chat } = await openChat([calls(['pay', {}])], {
      tools: [noting(notes, { name: 'pay', writes: true })],
    });
    await chat.sendMessage({ text: 'Pay' });
    const body = { name: 'k', scopes: ['chat'], servers: ['calculator'] };
    const { key } = await api.json<CreatedKeyView>('POST', '/api/keys', body);
    const [call] = callsOf(chat.answer);
    const approval = { id: call?.approval?.id, approved: true };
    const parts = [{ ...call, state: 'approval-responded', approval }];
    const messages = [{ id: chat.answer.id, role: 'assistant', parts }];
    const headers = { authorization: `Bearer ${key}` };
    const refused = await api.send('POST', `/api/topics/${topicId}/ui`, { messages }, headers);
    expect(await errorOf(refused)).toMatchObject({ code: 'forbidden' });
    expect(notes).toEqual([]);
  });

  it('T97: sends nothing that is new, or more than a request may have, and is told so', async () => {
    const { api, topicId } = await openChat([], { limits: { v1Text: 1000 } });
    const post = async (body: unknown) =>
      errorOf(await api.send('POST', `/api/topics/${topicId}/ui`, body));
    const nothing = [{ id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'Hi' }] }];
    expect(await post({ messages: nothing })).toMatchObject({ code: 'invalid_request' });
    expect(await post({ messages: [] })).toMatchObject({ code: 'invalid_request' });
    expect(await post(ask('x'.repeat(2000)))).toMatchObject({ code: 'body_too_large' });
  });

  it('only reads with a key that may only read', async () => {
    const { api, topicId } = await openChat([says('Hi.')]);
    const scopes = ['read'];
    const { key } = await api.json<CreatedKeyView>('POST', '/api/keys', { name: 'k', scopes });
    const chat = new PlainChat(clientsOf(api, key).fetch, topicId, { apiKey: key });
    await chat.resumeStream();
    expect(chat.error).toBeUndefined();
    await chat.sendMessage({ text: 'Hi' });
    expect(chat.error?.message).toContain('scope');
    expect(api.scripted.requests).toEqual([]);
  });
});

describeEachDatabase((_open, fresh) => {
  it('continues an approval that was asked for before a restart, on the next host', async () => {
    const notes: unknown[] = [];
    const place = await fresh();
    const tools = [noting(notes, { name: 'pay', writes: true, result: 'Paid.' })];
    const first = await openV1([calls(['pay', {}])], { place, tools });
    const topicId = await newTopic(first);
    const before = new PlainChat(first.fetch, topicId);
    await before.sendMessage({ text: 'Pay' });
    await first.close();
    const second = await openV1([says('Done.')], { place, tools });
    const chat = new PlainChat(second.fetch, topicId, { messages: before.messages });
    const [asked] = callsOf(chat.answer);
    await chat.addToolApprovalResponse({ id: asked?.approval?.id ?? '', approved: true });
    await chat.sendMessage();
    expect(chat.error).toBeUndefined();
    expect(textOf(chat.answer)).toBe('Done.');
    expect(callsOf(chat.answer)).toMatchObject([{ state: 'output-available' }]);
    expect(notes).toHaveLength(1);
  });
});
