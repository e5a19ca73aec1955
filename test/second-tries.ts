import type { Reporter, TestModule } from 'vitest/node';

/** Lists, at the end of a run, every test that passed only when it was tried again. */
export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const names = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `${module.relativeModuleId} > ${test.fullName}`),
    );
    if (names.length === 0) return;
    const lines = ['Passed on the second try, to be mended:', ...names.map((name) => `  ${name}`)];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}
