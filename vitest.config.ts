import { globSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { needsProcess } from './test/needs-process.ts';

/** Tests of many processes that measure time: one file after the other, nothing beside them. */
const alone = ['test/drain.test.ts', 'test/many/many.test.ts'];
/** Tests that break something in this very process, or look at its memory: a worker for each file. */
const apart = ['test/faults/*.test.ts'];
/** The rest that starts no process and no browser: `npm run test:quick`. */
const quick = globSync(['{src,bench,test}/**/*.test.{ts,tsx}'], { exclude: [...alone, ...apart] })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !needsProcess(file));

const common = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Whoever polls waits for the thing itself; a busy machine may take its time.
  expect: { poll: { timeout: 20_000 } },
};
/** A worker goes on with the next file, and what it has loaded stays loaded. */
const sharing = { isolate: false, setupFiles: ['test/tidy-process.ts'] };
/** One more than the cores of a small machine: much of the time a test waits for a process. */
const atOnce = { maxWorkers: 3, sequence: { groupOrder: 0 } };

/** Within a group projects begin in the order of their names: many small files fill up the end. */
export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    projects: [
      {
        test: {
          ...common,
          ...sharing,
          ...atOnce,
          name: 'across',
          include: ['{src,bench,test}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...alone, ...apart, ...quick],
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
