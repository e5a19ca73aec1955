import { describe, expect, it, onTestFinished } from 'vitest';
import type { Chunk } from '#shared/vocabulary/chunk.ts';
import type { ModelRequest } from '#shared/vocabulary/model.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import { temporaryFolder } from './databases.ts';
import { says, ScriptedModel } from './fakes/scripted-model.ts';
import { ask, openHost, owner } from './host.ts';

const look: NativeTool = {
  name: 'look',
  description: 'Looks',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  execute: async () => ({
    content: [{ type: 'image', data: 'cGljdHVyZQ==', mimeType: 'image/png' }],
  }),
};

/** A round that thinks where nobody sees it and asks for a call, both signed by the vendor. */
function signedCall(vendor: string): Chunk[] {
  return [
    { type: 'thinking-start', id: 'r' },
    { type: 'thinking-complete', id: 'r', signature: `thought of ${vendor}` },
    { type: 'tool-created', callId: 'call_0', toolName: 'look' },
    {
      type: 'tool-pending',
      callId: 'call_0',
      toolName: 'look',
      arguments: {},
      rawArguments: '{}',
      signature: `call of ${vendor}`,
    },
    { type: 'response-complete', finishReason: 'tool-calls' },
  ];
}

const sent = (request: ModelRequest | undefined) => JSON.stringify(request?.messages ?? null);

async function start(models: Record<string, ScriptedModel>) {
  const cleanups: (() => Promise<unknown>)[] = [];
  const host = await openHost(await temporaryFolder(cleanups), {
    models: Object.fromEntries(
      Object.entries(models).map(([name, scripted]) => [
        name,
        {
          capabilities: {
            tools: true,
            imagesIn: !name.includes('blind'),
            audioIn: false,
            filesIn: false,
            imagesOut: false,
            reasoning: true,
          },
          stream: scripted.stream.bind(scripted),
        },
      ]),
    ),
    tools: [look],
  });
  onTestFinished(async () => {
    await host.close();
    for (const cleanup of cleanups) await cleanup();
  });
  return { host, topic: await host.topics.create(owner, { title: 'T' }) };
}

describe('a topic whose model changes', () => {
  it('gives each vendor what it signed, and nothing that another one did', async () => {
    const first = new ScriptedModel(signedCall('first'), says('Seen.'), says('Again.'));
    const second = new ScriptedModel(signedCall('second'), says('Seen too.'));
    const { host, topic } = await start({ 'first/a': first, 'second/b': second });
    const answer = await ask(host, topic.id, { text: 'look', model: 'first/a' });
    expect(answer.blocks.map(({ type }) => type)).toEqual(['thinking', 'tool', 'main_text']);
    expect(sent(first.requests[1])).toContain('"signature":"thought of first"');
    expect(sent(first.requests[1])).toContain('"signature":"call of first"');
    await ask(host, topic.id, { text: 'look again', model: 'second/b' });
    expect(sent(second.requests[1])).toContain('call of second');
    expect(sent(second.requests[1])).not.toContain('of first');
    await ask(host, topic.id, { text: 'and?', model: 'first/a' });
    expect(sent(first.requests[2])).toContain('thought of first');
    expect(sent(first.requests[2])).toContain('call of first');
    expect(sent(first.requests[2])).not.toContain('of second');
  });

  it('shows media to a model that takes them, and says what they are to one that does not', async () => {
    const seeing = new ScriptedModel(signedCall('first'), says('A picture.'));
    const blind = new ScriptedModel(says('I cannot see it.'));
    const { host, topic } = await start({ 'first/a': seeing, 'blind/b': blind });
    await ask(host, topic.id, { text: 'look', model: 'first/a' });
    expect(sent(seeing.requests[1])).toContain('cGljdHVyZQ==');
    await ask(host, topic.id, { text: 'what is it?', model: 'blind/b' });
    expect(sent(blind.requests[0])).toContain('[Image: image/png]');
    expect(sent(blind.requests[0])).not.toContain('cGljdHVyZQ==');
  });
});
