import type { Bench, Case, Contestant } from '../bench.ts';
import { blocks, makeData, type Place, topics } from './data.ts';

const data = await makeData();

/** A bare query of one's own may cost so much less: what is beyond is waste. */
const aims = { floor: 1.5 };

const contestant = (script: string, what: string, place: Place): Contestant => ({
  script: new URL(script, import.meta.url),
  args: [what, JSON.stringify(place)],
  packages: ['kysely', 'pg'],
});

const makeCase = (database: string, place: Place, what: string, words: string): Case => ({
  name: `${what}-${database}`,
  contestants: {
    cerise: contestant('cerise.process.ts', what, place),
    floor: contestant('floor.process.ts', what, place),
  },
  rows: [
    { what: `${words}, ${database}`, unit: 'µs', metric: 'us', aims },
    { what: `${words}, ${database}: memory grown`, unit: 'MB', metric: 'grownMb' },
  ],
});

const cases = (database: string, place: Place): Case[] => [
  makeCase(database, place, 'many-messages', `newest ${blocks} of 10,000 blocks in 1,000 messages`),
  makeCase(database, place, 'one-answer', `newest ${blocks} of the 10,000 blocks of one message`),
  makeCase(database, place, 'list', `newest 200 of ${topics} topics`),
  makeCase(database, place, 'search', `one word in ${topics} topics`),
];

/** What large topics and long lists cost beside the bare query of the same database. */
export const bench: Bench = {
  cases: [
    ...cases('sqlite', data.sqlite),
    ...(data.postgres ? cases('postgres', data.postgres) : []),
  ],
  close: () => data.close(),
};
