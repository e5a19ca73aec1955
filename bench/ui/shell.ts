import type { Case } from '../bench.ts';

const script = new URL('shell.process.ts', import.meta.url);

/** The first JavaScript of the built page, beside React alone. `npm run build` makes the page. */
export const shellCase: Case = {
  name: 'shell',
  mostRounds: 1,
  contestants: {
    cerise: { script, args: ['cerise'] },
    floor: { script, args: ['floor'] },
  },
  rows: [
    { what: 'first JavaScript, gzipped', unit: 'KB', metric: 'kilobytes', aims: { cerise: 200 } },
  ],
};
