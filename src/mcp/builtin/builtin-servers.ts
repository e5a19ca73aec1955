import type { McpServer } from '@modelcontextprotocol/server';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import type { BuiltinContext } from './toolkit/context.ts';

interface BuiltinServer {
  key: string;
  name: string;
  description: string;
  /** Shows off the host: the demo model has it, any other model only where a person selects it. */
  showcase?: true;
  /** Loads the code of the server when it is first used, which keeps the start light. */
  create(context: BuiltinContext): Promise<McpServer>;
}

/** The servers that ship with Cerise, in the order in which they are shown. */
export const builtinServers: readonly BuiltinServer[] = [
  {
    key: 'fetch',
    name: 'fetch',
    description: 'Fetches public web pages as HTML, Markdown, plain text or JSON.',
    create: async (context) => (await import('./web/fetch.ts')).createFetchServer(context),
  },
  {
    key: 'memory',
    name: 'memory',
    description: 'Remembers facts and how they relate in a knowledge graph.',
    create: async (context) => (await import('./memory.ts')).createMemoryServer(context),
  },
  {
    key: 'sequential-thinking',
    name: 'sequential-thinking',
    description: 'Lets the model think in numbered, revisable steps.',
    create: async () => (await import('./sequential-thinking.ts')).createSequentialThinkingServer(),
  },
  {
    key: 'filesystem',
    name: 'filesystem',
    description: 'Reads and writes files in the workspace folder only.',
    create: async (context) =>
      (await import('./filesystem/filesystem.ts')).createFilesystemServer(context),
  },
  {
    key: 'time',
    name: 'time',
    description: 'Gets the current time anywhere and converts between time zones.',
    create: async (context) => (await import('./time.ts')).createTimeServer(context),
  },
  {
    key: 'calculator',
    name: 'calculator',
    description: 'Evaluates arithmetic expressions, with exact integers.',
    create: async () => (await import('./calculator/calculator.ts')).createCalculatorServer(),
  },
  {
    key: 'web-search',
    name: 'web-search',
    description: 'Searches the web through SearXNG, Brave or Tavily.',
    create: async (context) => (await import('./web/web-search.ts')).createWebSearchServer(context),
  },
  {
    key: 'demo',
    name: 'demo',
    description:
      'Demonstrates what tools can do: images, sound, progress, sources, large text, failures, forms and questions for a model.',
    showcase: true,
    create: async () => (await import('./demo/demo.ts')).createDemoServer(),
  },
];

const showcases = new Set(builtinServers.filter((each) => each.showcase).map(({ key }) => key));

/** Whether a server only shows off the host. */
export function isShowcase(config: ServerConfig): boolean {
  return config.type === 'inMemory' && showcases.has(config.builtin);
}

/** A new, not yet connected server. Throws CeriseError `server_not_found` for an unknown key. */
export async function createBuiltinServer(
  key: string,
  context: BuiltinContext,
): Promise<McpServer> {
  const server = builtinServers.find((each) => each.key === key);
  if (server) return server.create(context);
  throw new CeriseError(
    'server_not_found',
    say('no-builtin')`There is no built-in server named "${key}".`,
    {
      hint: say(
        'no-builtin-hint',
      )`Built-in servers: ${builtinServers.map((each) => each.key).join(', ')}.`,
    },
  );
}
