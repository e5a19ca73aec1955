import type { RegistryServer } from './registry-server.ts';

const npm = (identifier: string, version: string) => ({
  registryType: 'npm',
  identifier,
  version,
  transport: { type: 'stdio' as const },
  runtimeArguments: [],
  packageArguments: [] as RegistryServer['packages'][number]['packageArguments'],
  environmentVariables: [],
});
const official = '@modelcontextprotocol/server';

/** Servers that start with Node alone, without a key or an account; names are those in their packages. */
export const handPicked: readonly RegistryServer[] = [
  {
    name: 'io.github.microsoft/playwright-mcp',
    title: 'Playwright',
    description: 'Open web pages, click, type and read. Needs Chrome on the host.',
    version: '0.0.83',
    remotes: [],
    packages: [npm('@playwright/mcp', '0.0.83')],
  },
  {
    name: 'io.github.upstash/context7',
    title: 'Context7',
    description: 'Look up current documentation and examples of programming libraries.',
    version: '4.1.1',
    remotes: [],
    packages: [npm('@upstash/context7-mcp', '4.1.1')],
  },
  {
    name: 'io.github.antvis/mcp-server-chart',
    title: 'AntV Charts',
    description: 'Draw charts, maps and diagrams. Sends the data to AntV.',
    version: '0.9.10',
    remotes: [],
    packages: [npm('@antv/mcp-server-chart', '0.9.10')],
  },
  {
    name: 'io.github.modelcontextprotocol/server-everything',
    title: 'Everything',
    description: 'The reference server: one of each feature of MCP, to try things out.',
    version: '2026.8.31',
    remotes: [],
    packages: [npm(`${official}-everything`, '2026.8.31')],
  },
  {
    name: 'io.github.modelcontextprotocol/server-filesystem',
    title: 'Filesystem',
    description: 'Read, write, search and move files in one folder that you choose.',
    version: '2026.8.31',
    remotes: [],
    packages: [
      {
        ...npm(`${official}-filesystem`, '2026.8.31'),
        packageArguments: [
          {
            type: 'positional',
            valueHint: 'folder',
            description: 'The folder it can use',
            isRequired: true,
          },
        ],
      },
    ],
  },
];
