import process from 'node:process';
import { startVitest, type TestModule, type Vitest } from 'vitest/node';

/** What Playwright says once a browser, or the process that draws a page, is gone. */
const crashed = /\b(?:Target crashed|Page crashed|browser has been closed)\b/;

/**
 * Runs the tests. With `CI` set, files that failed because their browser crashed run once more, in a new browser: a
 * page that crashed takes the rest of its file along, so trying the one test again does not help. They are named, and
 * a page that crashes its browser every time still fails.
 */
const vitest = await run(process.argv.slice(2));
const lost = process.env['CI'] ? lostFiles(vitest) : [];
await (lost.length === 0 ? vitest : await runAgain(lost)).exit();

function runAgain(files: string[]): Promise<Vitest> {
  process.stdout.write(`\nA browser crashed. Once more:\n  ${files.join('\n  ')}\n`);
  process.exitCode = 0;
  return run(files);
}

function run(files: string[]): Promise<Vitest> {
  return startVitest('test', files, { watch: false });
}

/** The files that failed, if each of them lost its browser and nothing else went wrong. */
function lostFiles({ state }: Vitest): string[] {
  const failed = state.getTestModules().filter((module) => !module.ok());
  const unhandled = state.getUnhandledErrors().map((error) => error as Error);
  return failed.every(lostItsBrowser) && unhandled.every(isCrash)
    ? failed.map(({ relativeModuleId }) => relativeModuleId)
    : [];
}

/** Whether a browser went away in the file; what failed before that fails again. */
function lostItsBrowser(module: TestModule): boolean {
  const { children } = module;
  const errors = [
    ...module.errors(),
    ...[...children.allSuites()].flatMap((suite) => suite.errors()),
    ...[...children.allTests()].flatMap((test) => test.result().errors ?? []),
  ];
  return errors.some(isCrash);
}

function isCrash({ message }: { message: string }): boolean {
  return crashed.test(message);
}
