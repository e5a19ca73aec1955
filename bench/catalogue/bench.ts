import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registries } from '#chat/registry/registries.ts';
import { ranked } from '#chat/registry/copied-entry.ts';
import { openStore } from '#store/open-store.ts';
import type { Bench, Fact } from '../bench.ts';

const count = 10_000;
const aim = 100;
const searches = ['server', 'io.test', 'about everything', 'server-77', 'nothing of the kind', ''];

/** Entries as a large registry has them, with words of a usual length. */
const entries = Array.from({ length: count }, (_, at) => ({
  name: `io.test.publisher-${at % 700}/server-${at}`,
  title: `Server ${at}`,
  description: `About everything that server ${at} does for people who look for words like weather or maps.`,
  version: '1.0.0',
  packages: [{ registryType: 'npm', identifier: `@publisher/server-${at}`, version: '1.0.0' }],
}));

/** How long a search of the last copy of a large registry takes: the first, which reads it, and those after. */
async function measure(): Promise<Fact[]> {
  const home = await mkdtemp(join(tmpdir(), 'cerise-bench-'));
  const store = await openStore({ home });
  try {
    const deps = { store, fetchAllow: async () => [], now: () => Date.now() };
    const registries = [{ id: 'large', name: 'Large', file: JSON.stringify(entries) }];
    await new Registries(deps).set('local', { registries });
    // Another instance of the host has nothing of it in memory.
    const catalogue = new Registries(deps);
    const search = async (words: string) => {
      const from = performance.now();
      ranked(await catalogue.entries(), words).slice(0, 50);
      return performance.now() - from;
    };
    const first = await search(searches[0] ?? '');
    const later: number[] = [];
    for (let round = 0; round < 20; round += 1)
      for (const words of searches) later.push(await search(words));
    const sorted = later.toSorted((a, b) => a - b);
    const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
    const what = (which: string) => `search of ${count} entries, ${which}`;
    return [
      { what: what('reading the copy'), unit: 'ms', value: first },
      { what: what('median'), unit: 'ms', value: at(0.5), aim },
      { what: what('slowest'), unit: 'ms', value: at(1), aim },
    ];
  } finally {
    await store.close();
    await rm(home, { recursive: true, force: true });
  }
}

export const bench: Bench = { cases: [], alone: [{ name: 'search', measure }] };
