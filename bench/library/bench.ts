import type { Bench, Case, Contestant } from '../bench.ts';
import { pack } from '../../scripts/pack.mjs';
import { type Load, toArguments, type Transport } from '../mcp/load.ts';

const transports = { memory: 'in memory', stdio: 'stdio', http: 'HTTP' } as const;

// The doors are measured as they are published.
await pack();

/**
 * What Cerise costs a program that uses it as a library: deltas through the stream processor, tool calls through
 * the service without a host, and the import of a door. Doors are imported from `dist/package`.
 */
export const bench: Bench = {
  cases: [
    makeStream('fire', 'fire-hose, 20,000 deltas: CPU per delta', ['cpuWarm', 'cpuFirst']),
    {
      ...makeStream('paced', '100 answers × 50 deltas/s: CPU per delta', ['cpuPaced']),
      mostRounds: 3,
    },
    ...(['memory', 'stdio', 'http'] as const).map(makeCalls),
    makeImport('mcp', '@modelcontextprotocol/client'),
    makeImport('stream', 'ai'),
  ],
};

/** All callbacks of the stream processor, beside the wire whose chunks it is fed. */
function makeStream(name: string, what: string, metrics: string[]): Case {
  const contestant = (of: string, packages: string[] = []): Contestant => ({
    script: new URL('../models/client.process.ts', import.meta.url),
    args: [name, 'openai', of],
    packages,
  });
  return {
    name,
    contestants: {
      cerise: contestant('processor'),
      floor: contestant('wire'),
      fullStream: contestant('fullStream', ['ai', '@ai-sdk/openai']),
    },
    rows: metrics.map((metric) => ({
      what: `${what}${metric === 'cpuFirst' ? ', first answer' : ''}`,
      unit: 'µs',
      metric,
      aims: { floor: 1.3, fullStream: 0.25 },
    })),
  };
}

/** Calls through `new McpService()`. */
function makeCalls(transport: Transport): Case {
  const load: Load = { kind: 'calls', transport, era: 'legacy', tool: 'echo' };
  const contestant = (of: string, packages: string[] = []): Contestant => ({
    script: new URL('../mcp/client.process.ts', import.meta.url),
    args: [of, ...toArguments(load)],
    packages,
  });
  return {
    name: transport,
    contestants: {
      cerise: contestant('library'),
      floor: contestant('floor'),
      'client 2.4': contestant('client', ['@modelcontextprotocol/client']),
    },
    rows: [1, 64].map((width) => ({
      what: `CPU per tool call, ${transports[transport]}, ${width} in flight`,
      unit: 'µs',
      metric: `cpu${width}`,
      aims: { 'client 2.4': 0.6 },
    })),
  };
}

/** A door as it is published, in a process that has loaded nothing else. */
function makeImport(door: string, peer: string): Case {
  const contestant = (specifier: string, packages: string[] = []): Contestant => ({
    script: new URL('import.mjs', import.meta.url),
    args: [specifier],
    packages,
  });
  const published = new URL(`../../dist/package/lib/library/${door}.js`, import.meta.url);
  return {
    name: `import-${door}`,
    contestants: {
      cerise: contestant(published.href),
      floor: contestant('data:text/javascript,'),
      [peer]: contestant(peer, [peer]),
    },
    rows: [
      { what: `import of cerise/${door}`, unit: 'ms', metric: 'ms', aims: { cerise: 60 } },
      { what: `the same, CPU`, unit: 'ms', metric: 'cpuMs' },
      { what: `the same, memory`, unit: 'MB', metric: 'grownMb', aims: { cerise: 25 } },
    ],
  };
}
