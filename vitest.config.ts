import { configDefaults, defineConfig } from 'vitest/config';

/** Tests of many processes, some of which measure time: one file after the other, nothing beside them. */
const alone = ['test/drain.test.ts', 'test/faults/crash-points.test.ts', 'test/many/*.test.ts'];
const common = {
  testTimeout: 30_000,
  hookTimeout: 120_000,
  // Whoever polls waits for the thing itself; a busy machine may take its time.
  expect: { poll: { timeout: 20_000 } },
};
const exclude = [...configDefaults.exclude, ...alone];

/** Within a group projects begin in the order of their names: what takes long comes first. */
export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    projects: [
      {
        test: {
          ...common,
          name: 'across',
          include: ['test/**/*.test.ts'],
          exclude,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'beside',
          include: ['src/**/*.test.{ts,tsx}', 'bench/**/*.test.ts'],
          // Hundreds of small files: a worker goes on with the next one, and what it has loaded stays loaded.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'alone',
          include: alone,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
