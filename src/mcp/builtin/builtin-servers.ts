import type { McpServer } from '@modelcontextprotocol/server';
import { CeriseError } from '#shared/errors/errors.ts';
import type { BuiltinContext } from './toolkit/context.ts';

/** The servers that ship with Cerise, in the order in which they are shown. */
export const builtinServers: { key: string; name: string; description: string }[] = [
  {
    key: 'fetch',
    name: 'fetch',
    description: 'Reads public web pages as HTML, Markdown, plain text or JSON.',
  },
  {
    key: 'memory',
    name: 'memory',
    description: 'Remembers people, things and how they relate, as a knowledge graph.',
  },
  {
    key: 'sequential-thinking',
    name: 'sequential-thinking',
    description: 'Lets the model think in numbered, revisable steps.',
  },
  {
    key: 'filesystem',
    name: 'filesystem',
    description: 'Reads and writes files in the workspace folder, and nowhere else.',
  },
  { key: 'time', name: 'time', description: 'Tells the time anywhere and converts time zones.' },
  { key: 'calculator', name: 'calculator', description: 'Calculates, with exact integers.' },
  {
    key: 'web-search',
    name: 'web-search',
    description: 'Searches the web through SearXNG, Brave or Tavily.',
  },
  {
    key: 'demo',
    name: 'demo',
    description: 'Shows what results can be: image, sound, progress, sources, large text, failure.',
  },
];

/** Each server's code is loaded when it is first used, which keeps the start light. */
const makers = new Map<string, (context: BuiltinContext) => Promise<McpServer>>([
  ['fetch', async (context) => (await import('./web/fetch.ts')).createFetchServer(context)],
  ['memory', async (context) => (await import('./memory.ts')).createMemoryServer(context)],
  [
    'sequential-thinking',
    async () => (await import('./sequential-thinking.ts')).createSequentialThinkingServer(),
  ],
  [
    'filesystem',
    async (context) => (await import('./filesystem/filesystem.ts')).createFilesystemServer(context),
  ],
  ['time', async (context) => (await import('./time.ts')).createTimeServer(context)],
  ['calculator', async () => (await import('./calculator/calculator.ts')).createCalculatorServer()],
  [
    'web-search',
    async (context) => (await import('./web/web-search.ts')).createWebSearchServer(context),
  ],
  ['demo', async () => (await import('./demo/demo.ts')).createDemoServer()],
]);

/** A new, not yet connected server. Throws CeriseError `server_not_found` for an unknown key. */
export async function createBuiltinServer(
  key: string,
  context: BuiltinContext,
): Promise<McpServer> {
  const make = makers.get(key);
  if (make) return make(context);
  throw new CeriseError('server_not_found', `There is no built-in server "${key}".`, {
    hint: `Built-in servers: ${[...makers.keys()].join(', ')}.`,
  });
}
