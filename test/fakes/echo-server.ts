import { setTimeout } from 'node:timers/promises';
import { createMcpHandler, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { listen } from './loopback.ts';

/** A server over HTTP on loopback, closed after the test, and what its tools did. */
export interface EchoServer {
  url: string;
  /** The words that `echo` was called with, in order. */
  calls: string[];
  /** Lets the calls of `hold` end that began so far. */
  release(): void;
  /** Resolves when somebody calls `hold`. */
  held: Promise<void>;
  /** Whether a call of `hold` was cancelled. */
  cancelled: Promise<void>;
  /** Answers nothing until the result is called. */
  pause(): () => void;
  changed(): void;
  updated(uri: string): void;
}

/** Tools that say again what they are told, wait to be released, or report progress; a prompt and a resource. */
export async function startEcho(): Promise<EchoServer> {
  const calls: string[] = [];
  const release = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
  const handler = createMcpHandler(() => {
    const server = new McpServer(
      { name: 'echo', version: '1' },
      { capabilities: { resources: { subscribe: true, listChanged: true } } },
    );
    const words = { inputSchema: z.object({ words: z.string() }) };
    server.registerTool('echo', { description: 'Says it again.', ...words }, (args) => {
      calls.push(args.words);
      return text(args.words);
    });
    server.registerTool('hold', { description: 'Waits.' }, async (context) => {
      held.resolve();
      context.mcpReq.signal.addEventListener('abort', () => cancelled.resolve());
      await release.promise;
      return text('released');
    });
    server.registerTool('steps', { description: 'Reports progress.' }, async (context) => {
      const { progressToken } = context.mcpReq._meta ?? {};
      for (const progress of [1, 2, 3]) {
        if (progressToken !== undefined)
          await context.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 3 },
          });
        await setTimeout(5);
      }
      return text('done');
    });
    server.registerPrompt('greet', { argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}.` } }],
    }));
    server.registerPrompt('read', {}, () => ({
      messages: [
        { role: 'user', content: { type: 'resource_link', uri: 'note://one', name: 'note' } },
        {
          role: 'user',
          content: { type: 'resource', resource: { uri: 'note://one', text: 'a note' } },
        },
      ],
    }));
    server.registerResource('note', 'note://one', {}, (uri) => ({
      contents: [{ uri: uri.href, text: 'a note' }],
    }));
    const complete = {
      name: (value: string) => ['two', 'three'].filter((each) => each.startsWith(value)),
    };
    const template = new ResourceTemplate('note://{name}', { list: undefined, complete });
    server.registerResource('notes', template, {}, (uri) => ({
      contents: [{ uri: uri.href, text: `a note at ${uri.href}` }],
    }));
    return server;
  });
  let pause: Promise<void> | undefined;
  const server = await listen(async (request) => {
    await pause;
    return handler.fetch(request);
  });
  onTestFinished(async () => {
    release.resolve();
    await handler.close();
    await server.close();
  });
  return {
    url: server.url,
    calls,
    release: () => release.resolve(),
    held: held.promise,
    cancelled: cancelled.promise,
    pause: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      pause = promise;
      return resolve;
    },
    changed: () => handler.notify.toolsChanged(),
    updated: (uri) => handler.notify.resourceUpdated(uri),
  };
}
