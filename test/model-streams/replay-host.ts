import { expect, onTestFinished } from 'vitest';
import type { Host } from '#chat/host/host.ts';
import type { TopicChange } from '#shared/vocabulary/event.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { loadConversation } from '#store/conversations/conversation.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import { temporaryFolder } from '../databases.ts';
import { startVendorReplay, type VendorEndpoint } from '../fakes/vendor-replay.ts';
import { ask, openHost, owner, quietLogger } from '../host.ts';
import { illegalities } from '../legal-conversation.ts';

/** A provider of the host whose address is a vendor that plays streams. */
export interface ReplayProvider extends VendorEndpoint {
  /** Asks one question in a topic of its own; resolves with the answer, seen and stored alike. */
  ask(question?: string, topic?: TopicChange): Promise<Message>;
}

/** A whole host with nothing but the given tools. */
export interface ReplayHost {
  host: Host;
  /** What the host thought worth an error in its log. */
  errors: string[];
  /** Adds a provider of a kind; `model` is asked of it. */
  provider: (kind: string, model?: string) => Promise<ReplayProvider>;
  close(): Promise<void>;
}

/** Opens one, with the loopback vendor beside it. */
export async function openReplayHost(tools: NativeTool[] = []): Promise<ReplayHost> {
  const cleanups: (() => Promise<unknown>)[] = [];
  const vendor = await startVendorReplay();
  const errors: string[] = [];
  const error = (_fields: object, message: string) => void errors.push(message);
  const logger = { ...quietLogger, error };
  const host = await openHost(await temporaryFolder(cleanups), { tools, logger });
  const { id: assistantId } = await host.assistants.create(owner, {
    name: 'A',
    systemPrompt: '',
    parameters: {},
    mcp: { enabled: true, mode: 'manual', selectedServers: [] },
  });
  let providers = 0;
  return {
    host,
    errors,
    provider: async (kind, modelName = 'model-1') => {
      const endpoint = vendor.endpoint(kind === 'google' ? 'v1beta' : 'v1');
      const name = `vendor-${(providers += 1)}`;
      const { baseUrl } = endpoint;
      await host.providers.create(owner, {
        name,
        kind,
        baseUrl,
        apiKey: 'test-key',
        models: [modelName],
      });
      return Object.assign(endpoint, {
        async ask(question = 'Q', patch?: TopicChange) {
          const model = `${name}/${modelName}`;
          const topic = await host.topics.create(owner, { title: 'T', assistantId, model });
          if (patch) await host.topics.update(owner, topic.id, patch);
          return storedAnswer(host, await ask(host, topic.id, question));
        },
      });
    },
    async close() {
      await host.close();
      await vendor.close();
      for (const cleanup of cleanups) await cleanup();
    },
  };
}

/** An answer as the database has it, which is what a viewer saw of it. */
async function storedAnswer(host: Host, seen: Message): Promise<Message> {
  const stored = await loadConversation(host.store, owner, seen.topicId, { limit: 10 });
  expect(stored && illegalities(stored)).toEqual([]);
  expect(stored?.messages.find(({ id }) => id === seen.id)).toEqual(seen);
  return seen;
}

/** The same, closed when the test is over. */
export async function useReplayHost(tools: NativeTool[] = []): Promise<ReplayHost> {
  const opened = await openReplayHost(tools);
  onTestFinished(() => opened.close());
  return opened;
}

/** A tool that takes anything and answers with a text. */
export function plainTool(name: string, answer: () => string = () => 'ok'): NativeTool {
  return {
    name,
    description: name,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    execute: async () => ({ content: [{ type: 'text', text: answer() }] }),
  };
}
