import { globSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { LongFirst } from './test/long-first.ts';
import { needsProcess } from './test/needs-process.ts';
import { SecondTries } from './test/second-tries.ts';

/** Tests of many processes that measure what those take, and wait most of the time: beside what is light alone. */
const alone = ['test/drain.test.ts', 'test/many/many.test.ts'];
/** Tests that break something in this very process, or look at its memory: a worker for each file. */
const apart = ['test/faults/*.test.ts'];
/** Tests in a real browser. */
const browser = ['test/e2e/*.test.ts'];
/** The rest that starts no process and no browser: `npm run test:quick`. */
const quick = globSync(['{src,bench,test}/**/*.test.{ts,tsx}'], {
  exclude: [...alone, ...apart, ...browser],
})
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !needsProcess(file));

const common = {
  // What a terminal shows does not depend on the locale of who runs the tests.
  env: { CERISE_LANG: 'en' },
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Whoever polls waits for the thing itself; a busy machine may take its time.
  expect: { poll: { timeout: 20_000 } },
};
/** A worker goes on with the next file, and what it has loaded stays loaded. */
const sharing = { isolate: false, setupFiles: ['test/tidy-process.ts'] };
/** Tests of processes wait most of the time: many at once keep the two cores of a small machine busy. */
const waiting = { maxWorkers: 4, sequence: { groupOrder: 0 } };
/** One more than those cores: a browser test and a light one are busy themselves for most of the time. */
const busy = { maxWorkers: 3, sequence: { groupOrder: 1 } };
const afterwards = { maxWorkers: 3, sequence: { groupOrder: 2 } };
const isCi = Boolean(process.env['CI']);

/** Within a group projects begin in the order of their names: small files fill up the end, around the patient. */
export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    sequence: { sequencer: LongFirst },
    ...(isCi && { reporters: ['default', new SecondTries()] }),
    projects: [
      {
        test: {
          ...common,
          ...sharing,
          ...busy,
          name: 'acceptance',
          include: browser,
          retry: isCi ? 1 : 0,
        },
      },
      {
        test: {
          ...common,
          ...sharing,
          ...waiting,
          name: 'across',
          include: ['{src,bench,test}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...alone, ...apart, ...browser, ...quick],
        },
      },
      {
        test: {
          ...common,
          ...waiting,
          name: 'apart',
          include: apart,
          exclude: [...configDefaults.exclude, ...alone],
        },
      },
      {
        test: {
          ...common,
          ...sharing,
          ...afterwards,
          name: 'quick',
          setupFiles: [...sharing.setupFiles, 'test/no-process.ts'],
          include: quick,
        },
      },
      {
        test: {
          ...common,
          ...afterwards,
          name: 'patient',
          include: alone,
        },
      },
    ],
  },
});
