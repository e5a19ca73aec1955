import { globSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { needsProcess } from './test/needs-process.ts';
import { SecondTries } from './test/second-tries.ts';

/** Tests of many processes that measure time: one file after the other, nothing beside them. */
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
/** One more than the cores of a small machine: much of the time a test waits for a process. */
const atOnce = { maxWorkers: 3, sequence: { groupOrder: 0 } };
const isCi = Boolean(process.env['CI']);

/** Within a group projects begin in the order of their names: many small files fill up the end. */
export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    ...(isCi && { reporters: ['default', new SecondTries()] }),
    projects: [
      {
        test: {
          ...common,
          ...sharing,
          ...atOnce,
          name: 'acceptance',
          include: browser,
          retry: isCi ? 1 : 0,
        },
      },
      {
        test: {
          ...common,
          ...sharing,
          ...atOnce,
          name: 'across',
          include: ['{src,bench,test}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...alone, ...apart, ...browser, ...quick],
        },
      },
      {
        test: {
          ...common,
          ...atOnce,
          name: 'apart',
          include: apart,
          exclude: [...configDefaults.exclude, ...alone],
        },
      },
      {
        test: {
          ...common,
          ...sharing,
          ...atOnce,
          name: 'quick',
          setupFiles: [...sharing.setupFiles, 'test/no-process.ts'],
          include: quick,
        },
      },
      {
        test: {
          ...common,
          name: 'last',
          include: alone,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
