import { pickedRegistry } from '#shared/messages/builtin-tool.ts';

/** Pinned servers from npm that need no key: what the catalogue has without a network. */
export const pickedServers = [
  picked(
    '@modelcontextprotocol/server-everything',
    '2026.8.31',
    'Everything',
    'Examples of every MCP feature, for trying things out.',
  ),
  picked(
    '@playwright/mcp',
    '0.0.83',
    'Playwright',
    'Controls a browser: opens pages, clicks and fills in forms.',
    [flag('--headless'), flag('--isolated')],
  ),
  picked('mcp-server-sqlite', '0.0.2', 'SQLite', 'Queries and changes a SQLite database.', [
    folder('Database file'),
  ]),
  picked('@eslint/mcp', '0.3.13', 'ESLint', 'Checks JavaScript and TypeScript files.'),
  picked(
    '@modelcontextprotocol/server-map',
    '2.0.3',
    'Map',
    'Shows places on an interactive globe.',
    [flag('--stdio')],
  ),
  picked('@modelcontextprotocol/server-pdf', '2.0.4', 'PDF', 'Opens and reads PDF documents.', [
    flag('--stdio'),
  ]),
  picked('@modelcontextprotocol/server-threejs', '2.0.3', 'Three.js', 'Draws 3D scenes.', [
    flag('--stdio'),
  ]),
  picked(
    '@modelcontextprotocol/server-system-monitor',
    '2.0.3',
    'System Monitor',
    'Shows CPU and memory use of this machine.',
    [flag('--stdio')],
  ),
  picked(
    '@modelcontextprotocol/server-basic-react',
    '2.0.3',
    'Basic React App',
    'A minimal example of a server with its own user interface.',
    [flag('--stdio')],
  ),
  // Similar to built-in ones, for people who know them from other hosts.
  picked(
    '@modelcontextprotocol/server-filesystem',
    '2026.8.31',
    'Filesystem',
    'Reads and writes files in one folder.',
    [folder('Folder that the server can use')],
  ),
  picked(
    '@modelcontextprotocol/server-memory',
    '2026.8.31',
    'Memory',
    'A knowledge graph that the model keeps between chats.',
  ),
  picked(
    '@modelcontextprotocol/server-sequential-thinking',
    '2026.8.31',
    'Sequential Thinking',
    'Helps a model solve a problem step by step.',
  ),
];

function picked(
  identifier: string,
  version: string,
  title: string,
  description: string,
  packageArguments: object[] = [],
) {
  const npm = { registryType: 'npm', identifier, version, packageArguments };
  return { name: identifier, version, title, description, packages: [npm] };
}

function folder(description: string) {
  return { type: 'positional', valueHint: 'path', description, isRequired: true };
}

function flag(name: string) {
  return { type: 'named', name };
}

const offline = new Set(
  'everything threejs system-monitor basic-react filesystem memory sequential-thinking'
    .split(' ')
    .map((name) => `@modelcontextprotocol/server-${name}`)
    .concat('mcp-server-sqlite'),
);
/** They look for a browser or for project files all over the machine. */
const everywhere = new Set(['@playwright/mcp', '@eslint/mcp']);

/** Whether an entry is proposed with network access; undefined if it needs full access. */
export function networkOf(entry: { registry: string; name: string }): boolean | undefined {
  if (entry.registry !== pickedRegistry) return true;
  return everywhere.has(entry.name) ? undefined : !offline.has(entry.name);
}
