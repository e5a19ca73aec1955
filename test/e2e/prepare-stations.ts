import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ServerView } from '#shared/api/api.ts';
import type { App } from './app.ts';
import type { Topics } from './stations.ts';

const payload = join(import.meta.dirname, '../fakes/payload-server.ts');
const asking = join(import.meta.dirname, '../fakes/asking-server.ts');

/** What a model writes that has every kind of markdown. */
export const written = [
  '# A heading\n\nSome **bold** words, `code`, a [link](https://example.com) and a note[^1].',
  '```ts\nconst answer: number = 42; // the answer\n```',
  '| Tree | Kilograms |\n|---|--:|\n| Cherry | 40 |\n| Plum | 12 |',
  'So $\\frac{a}{b}$ holds, and\n\n$$\nx^2 + y^2 = z^2\n$$',
  '```mermaid\nflowchart LR\n  A[Ask] --> B[Answer]\n```',
  '- [x] done\n- [ ] open\n\n> A quotation.\n\n![a cat](https://example.com/cat.png)',
  '[^1]: The words of the note.',
].join('\n\n');

/** Makes everything the stations show. The default model has been told to say `written` once. */
export async function prepareStations(app: App): Promise<Topics> {
  await app.api('/users', {
    method: 'POST',
    body: { name: 'Ana', role: 'user', password: 'correct horse battery' },
  });
  await addServer(app, 'questions', [asking, 'modern']);
  await addChangedServer(app);
  const draft = { type: 'stdio', name: 'waiting', command: 'npx', args: ['-y', 'a-server'] };
  await app.api('/servers', { method: 'POST', body: draft });
  const call = { arguments: { path: 'bell.txt', content: 'x' } };
  await app.api('/servers/filesystem/tools/write_file/call', { method: 'POST', body: call });
  const write = (name: string) => `/call write_file {"path":"${name}","content":"Some words."}`;
  const topics = {
    tour: await converse(app, ['/tour']),
    kinds: await converse(app, ['/think 40', '/error model_unauthorized', '/write 40', '/compact']),
    written: await converse(app, ['Go on.'], 'told/fake-model'),
    versions: await converse(app, ['What is 6*7?']),
    approval: await begin(app, write('a.txt')),
    batch: await begin(app, `${write('b.txt')}\n${write('c.txt')}`),
    inputs: await begin(
      app,
      ['order', 'visit', 'think'].map((tool) => `/call mcp__questions__${tool} {}`).join('\n'),
    ),
  };
  await translate(app, topics.kinds);
  await answerAgain(app, topics.versions);
  return topics;
}

/** A server that was used before it was changed. */
async function addChangedServer(app: App): Promise<void> {
  const id = await addServer(app, 'rehearsed', [payload, '["before"]']);
  const call = { arguments: { at: 'home' } };
  await app.api(`/servers/${id}/tools/show/call`, { method: 'POST', body: call });
  const changed = { args: [payload, '["after"]'] };
  await app.api(`/servers/${id}`, { method: 'PATCH', body: changed });
}

async function addServer(app: App, name: string, args: string[]): Promise<string> {
  const body = { name, type: 'stdio', command: process.execPath, args, autoApprove: ['*'] };
  const { id, launchHash } = await app.api<ServerView>('/servers', { method: 'POST', body });
  await app.api(`/servers/${id}/approve`, { method: 'POST', body: { launchHash } });
  await app.api(`/servers/${id}/connect`, { method: 'POST', body: {} });
  return id;
}

/** Says these things one after the other in a new conversation; resolves with its id when all is answered. */
async function converse(app: App, texts: string[], model = 'demo/scripted'): Promise<string> {
  const { id } = await app.api<{ id: string }>('/topics', { method: 'POST', body: { model } });
  for (const text of texts) {
    await app.api(`/topics/${id}/messages`, { method: 'POST', body: { text } });
    await rests(app, id);
  }
  return id;
}

/** Says something whose answer waits for a person. */
async function begin(app: App, text: string): Promise<string> {
  const body = { model: 'demo/scripted' };
  const { id } = await app.api<{ id: string }>('/topics', { method: 'POST', body });
  await app.api(`/topics/${id}/messages`, { method: 'POST', body: { text } });
  return id;
}

/** Translates the answer before the summary. */
async function translate(app: App, topicId: string): Promise<void> {
  const { messages } = await app.conversation(topicId);
  const answer = messages.findLast(
    ({ role, blocks }) => role === 'assistant' && blocks.some(({ type }) => type === 'main_text'),
  );
  const path = `/messages/${answer?.id ?? ''}/translate`;
  await app.api(path, { method: 'POST', body: { language: 'de' } });
  await rests(app, topicId);
}

/** Has a second version of the last answer. */
async function answerAgain(app: App, topicId: string): Promise<void> {
  const { messages } = await app.conversation(topicId);
  const answer = messages.findLast(({ role }) => role === 'assistant');
  await app.api(`/answers/${answer?.id ?? ''}/regenerate`, { method: 'POST', body: {} });
  await rests(app, topicId);
}

async function rests(app: App, topicId: string): Promise<void> {
  const deadline = Date.now() + 25_000;
  while ((await app.conversation(topicId)).topic.isLoading) {
    if (Date.now() > deadline) throw new Error(`Conversation ${topicId} never came to rest.`);
    await setTimeout(100);
  }
}
