import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that wait for most of a long time, which the sizes of their files do not say. */
export const long = [
  'test/approved-then-killed.test.ts',
  'test/bytes.test.ts',
  'test/cold-servers.test.ts',
  'test/conformance/conformance.test.ts',
  'test/faults/crash-points.test.ts',
  'test/many/keyed-calls.test.ts',
  'test/many/paused.test.ts',
  'test/repeated-after-kill.test.ts',
  'test/v1/killed.test.ts',
];

/**
 * The order of a fresh clone, which knows nothing of earlier runs: of each group first the files that have a process
 * of their own, then the others; what is long first, then by size. So no group ends with one worker that is busy.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ordered = await super.sort(files);
    return ordered.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId, project: { config } }: TestSpecification): number {
  const isLong = long.some((file) => moduleId === `${config.root}/${file}`);
  return config.sequence.groupOrder * 4 + (config.isolate ? 0 : 2) + (isLong ? 0 : 1);
}
