import type { Bench, Case, Contestant, RowSpec } from '../bench.ts';

const eras = ['legacy', 'modern'] as const;

/**
 * CPU of a tool call from the official client to an official server behind something: all three in one process, over
 * loopback. `two hops` is the official server and client put behind each other; `floor` has nothing in between.
 */
export const bench: Bench = {
  cases: [...eras.map((era) => makeCase(era)), telemetryCase(), firstTokenCase(), ...v1Cases()],
};

/** What metrics and traces cost a host that sends them: `floor` is the same host without. */
function telemetryCase(): Case {
  const script = new URL('telemetry.process.ts', import.meta.url);
  const aims = { floor: 1.05 };
  return {
    name: 'telemetry',
    contestants: { cerise: { script, args: ['on'] }, floor: { script, args: ['off'] } },
    rows: [
      { what: 'CPU per turn with a tool call, observed', unit: 'µs', metric: 'turn', aims },
      { what: 'CPU per tool call, observed', unit: 'µs', metric: 'call', aims },
    ],
  };
}

/** Time to the first text of a chat completion: `floor` is the provider itself, without anything in between. */
function firstTokenCase(): Case {
  const script = new URL('first-token.process.ts', import.meta.url);
  const what = (text: string) => `first token of a chat completion: ${text}`;
  const aims = { cerise: 3 };
  return {
    name: 'first-token',
    contestants: { cerise: { script, args: ['cerise'] }, floor: { script, args: ['direct'] } },
    rows: [
      { what: what('median'), unit: 'ms', metric: 'median' },
      { what: what('p90'), unit: 'ms', metric: 'p90' },
      { what: what('median, added'), unit: 'ms', metric: 'addedMedian', aims },
      { what: what('p90, added'), unit: 'ms', metric: 'addedP90' },
    ],
  };
}

/**
 * CPU of a host that streams chat completions: `fullStream` and `floor`, a bare loop, are behind a plain route.
 * `own stream` is the same answer in a topic of Cerise, read as its page reads it.
 */
function v1Cases(): Case[] {
  const aims = { fullStream: 0.3 };
  const fire = 'chat completion, fire-hose, 20,000 deltas: CPU per delta';
  const paced = 'chat completion, paced, 100 answers × 50 deltas/s for 10 s: CPU per delta';
  return [
    makeV1Case('fire', [
      { what: fire, unit: 'µs', metric: 'cpuWarm', aims },
      { what: `${fire}, first answer`, unit: 'µs', metric: 'cpuFirst', aims },
    ]),
    { ...makeV1Case('paced', [{ what: paced, unit: 'µs', metric: 'cpuPaced' }]), mostRounds: 3 },
  ];
}

function makeV1Case(measured: string, rows: RowSpec[]): Case {
  const contestant = (name: string, packages: string[] = []): Contestant => {
    const script = new URL('v1.process.ts', import.meta.url);
    return { script, args: [measured, name], packages };
  };
  const ownStream = new URL('../models/cerise.process.ts', import.meta.url);
  return {
    name: `v1-${measured}`,
    contestants: {
      cerise: contestant('cerise'),
      floor: contestant('bare'),
      fullStream: contestant('fullStream', ['ai', '@ai-sdk/openai']),
      'own stream': { script: ownStream, args: [measured, 'openai'] },
    },
    rows,
  };
}

function makeCase(era: (typeof eras)[number]): Case {
  return {
    name: era,
    contestants: {
      cerise: contestant('cerise', era),
      floor: contestant('floor', era),
      'two hops': contestant('two-hops', era),
    },
    rows: [1, 16].map((width) => ({
      what: `CPU per call through a gateway (${era}), ${width} in flight`,
      unit: 'µs',
      metric: `cpu${width}`,
      aims: { 'two hops': 1.3 },
    })),
  };
}

function contestant(name: string, era: string): Contestant {
  const script = new URL('gateway.process.ts', import.meta.url);
  const packages = ['@modelcontextprotocol/client', '@modelcontextprotocol/server'];
  return { script, args: [name, era], packages };
}
