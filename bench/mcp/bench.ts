import type { Bench, Case, Contestant, RowSpec } from '../bench.ts';
import {
  type Era,
  inFlight,
  type Load,
  toArguments,
  type ToolName,
  type Transport,
} from './load.ts';
import { hasPeer } from './peers.ts';
import { measureSandbox } from './sandbox.ts';

const hasSdk = await hasPeer('@modelcontextprotocol/sdk');
const hasAiSdk = await hasPeer('@ai-sdk/mcp');

const transportNames: Record<Transport, string> = {
  memory: 'in memory',
  stdio: 'stdio',
  http: 'HTTP',
};
const toolNames: Record<ToolName, string> = { echo: '', measure: ', output schema' };

/**
 * CPU of the client's process for each call, the server being a process of its own (except in memory),
 * and the time and CPU of listing a thousand tools.
 */
export const bench: Bench = {
  cases: [
    ...(['memory', 'stdio', 'http'] as const).flatMap((transport) =>
      (['echo', 'measure'] as const).map((tool) => makeCalls(transport, 'legacy', tool)),
    ),
    makeCalls('stdio', 'modern', 'measure'),
    makeCalls('http', 'modern', 'measure'),
    makeLists(1),
    makeLists(10),
  ],
  alone: [{ name: 'sandbox', measure: measureSandbox }],
};

function makeCalls(transport: Transport, era: Era, tool: ToolName): Case {
  const load: Load = { kind: 'calls', transport, era, tool };
  const how = `${transportNames[transport]}${era === 'modern' ? ' (modern)' : ''}`;
  return {
    contestants: {
      cerise: contestant('cerise', load),
      floor: contestant('floor', load),
      McpClient: contestant('own-client', load),
      ...peers(load, era),
    },
    rows: inFlight.map((width) => ({
      what: `CPU per call, ${how}, ${width} in flight${toolNames[tool]}`,
      unit: 'µs',
      metric: `cpu${width}`,
    })),
  };
}

function makeLists(pages: number): Case {
  const load: Load = { kind: 'lists', pages };
  const what = `1,000 tools over stdio, ${pages === 1 ? 'one page' : `${pages} pages`}`;
  const rows: RowSpec[] = [
    { what: `${what}: time, first listing`, unit: 'ms', metric: 'firstMs' },
    { what: `${what}: CPU, first listing`, unit: 'ms', metric: 'firstCpu' },
    { what: `${what}: time, later`, unit: 'ms', metric: 'warmMs' },
    { what: `${what}: CPU, later`, unit: 'ms', metric: 'warmCpu' },
  ];
  return {
    contestants: {
      cerise: contestant('cerise-lists', load),
      floor: contestant('floor', load),
      ...peers(load, 'legacy'),
    },
    rows,
  };
}

/** The clients of others that speak this era and could be had. */
function peers(load: Load, era: Era): Record<string, Contestant> {
  return {
    'client 2.4': contestant('client', load, ['@modelcontextprotocol/client']),
    ...(hasSdk && era === 'legacy' && { 'sdk 1.32': contestant('sdk', load) }),
    ...(hasAiSdk && { 'ai-sdk': contestant('ai-sdk', load) }),
  };
}

function contestant(name: string, load: Load, packages: string[] = []): Contestant {
  const script = new URL('client.process.ts', import.meta.url);
  return { script, args: [name, ...toArguments(load)], packages };
}
