import type { Aims, Bench, Case, Contestant, RowSpec } from '../bench.ts';
import { roundCounts, type WireName } from './load.ts';

/** Packages by the contestant that brings them in. */
const packages: Record<WireName, Record<string, string[]>> = {
  openai: { fullStream: ['ai', '@ai-sdk/openai'], sdk: ['openai'] },
  anthropic: { fullStream: ['ai', '@ai-sdk/anthropic'], sdk: ['@anthropic-ai/sdk'] },
};

/**
 * CPU of one process for each delta of an answer and for each round of tools, its memory, and what
 * tools cost. Everything but the first case is measured in fewer rounds, for the sake of time.
 */
export const bench: Bench = {
  cases: [
    makeFire('fire', 'openai', ['wire', 'doStream', 'fullStream', 'uiMessageStream', 'sdk']),
    {
      ...makeFire('fire-anthropic', 'anthropic', ['wire', 'fullStream', 'sdk']),
      mostRounds: 3,
    },
    { ...makePaced(), mostRounds: 3 },
    { ...makeRounds(), mostRounds: 3 },
    makeTools('openai', 'OpenAI'),
    makeTools('anthropic', 'Anthropic'),
    makeTools('google', 'Gemini'),
  ],
};

/** As fast as the socket takes it. */
function makeFire(name: string, wire: WireName, peers: string[]): Case {
  const vendor = wire === 'openai' ? 'OpenAI chat' : 'Anthropic messages';
  const what = (text: string) => `fire-hose, 20,000 deltas, ${vendor}: ${text}`;
  const aims: Aims = { floor: 2, fullStream: 1 / 4.5 };
  return makeCase(name, 'fire', wire, peers, [
    { what: what('CPU per delta'), unit: 'µs', metric: 'cpuWarm', aims },
    { what: what('CPU per delta, first answer'), unit: 'µs', metric: 'cpuFirst', aims },
    { what: what('memory, first answer'), unit: 'MB', metric: 'grownMb', aims: { cerise: 25 } },
  ]);
}

/** At the pace of models, many answers at once. */
function makePaced(): Case {
  const what = 'paced, 100 answers × 50 deltas/s for 10 s: CPU per delta';
  const aims = { floor: 2, fullStream: 1 / 3 };
  return makeCase(
    'paced',
    'paced',
    'openai',
    ['wire', 'fullStream', 'uiMessageStream'],
    [{ what, unit: 'µs', metric: 'cpuPaced', aims }],
  );
}

/** Answers with many rounds of one tool. */
function makeRounds(): Case {
  const peers = ['wire', 'fullStream', 'uiMessageStream', 'sdk'];
  const rows = roundCounts.map((count) => ({
    what: `${count} rounds of a tool: CPU per round`,
    unit: 'µs',
    metric: `cpu${count}`,
    aims: { fullStream: 1 / 2 },
  }));
  return makeCase('rounds', 'rounds', 'openai', peers, rows);
}

/** 1,000 tools in the dialect of a vendor. */
function makeTools(vendor: string, label: string): Case {
  const what = (text: string) => `1,000 tools for ${label}: CPU, ${text}`;
  const contestant = (name: string): Contestant => ({
    script: new URL('tools.process.ts', import.meta.url),
    args: [vendor, name],
  });
  const first = { floor: 2 };
  const later = { floor: 0.1 };
  return {
    name: 'tools',
    contestants: { cerise: contestant('cerise'), floor: contestant('floor') },
    rows: [
      { what: what('first of a process'), unit: 'ms', metric: 'firstMs', aims: first },
      { what: what('new tools'), unit: 'ms', metric: 'warmMs', aims: first },
      { what: what('later rounds, to a body'), unit: 'ms', metric: 'laterMs', aims: later },
      { what: what('later rounds, to bytes'), unit: 'ms', metric: 'bytesMs' },
    ],
  };
}

function makeCase(
  name: string,
  measured: string,
  wire: WireName,
  peers: string[],
  rows: RowSpec[],
): Case {
  const client = (contestant: string): Contestant => ({
    script: new URL('client.process.ts', import.meta.url),
    args: [measured, wire, contestant],
    packages: packages[wire][contestant] ?? [],
  });
  return {
    name,
    contestants: {
      cerise: { script: new URL('cerise.process.ts', import.meta.url), args: [measured, wire] },
      floor: client('bare'),
      ...Object.fromEntries(peers.map((peer) => [peer, client(peer)])),
    },
    rows,
  };
}
