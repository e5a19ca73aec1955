import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { messageOf } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { withClient } from '../client/with-server.ts';
import { readEvalFile } from '../evals/eval-file.ts';
import { describeCheck, toJunit } from '../evals/junit.ts';
import { type CaseOutcome, runCase } from '../evals/run-case.ts';
import { tell } from '../messages/tell.ts';
import { heads, printJson, printLine, printTable } from '../printing/print.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { commands } from '../usage/commands.ts';
import { readOptions } from '../usage/options.ts';

/** `cerise eval FILE`: answers of own chats made anew and checked. The exit code is 1 where a case fails. */
export async function evaluate(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { words, values } = readOptions(argv, commands.eval);
  const [path = ''] = words;
  const { cases, ...asked } = await readEvalFile(path);
  const { model, junit, yes, json } = values;
  const outcomes: CaseOutcome[] = [];
  const stop = untilSignal(io);
  await withClient(settings, io, async (client) => {
    const runner = { client, terminal: openTerminal(io), yes, signal: stop.signal };
    for (const each of cases) {
      // What the command says counts for every case.
      const own = model === undefined ? each : { ...each, model };
      outcomes.push(await runCase(runner, own, asked));
    }
  })
    .catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    })
    .finally(() => stop.end());
  if (junit !== undefined) await writeFile(junit, toJunit(basename(path), outcomes, new Date()));
  if (json) printJson(io, { cases: outcomes });
  else print(io, outcomes);
  if (stop.signal.aborted) return interrupted;
  return outcomes.every(({ passed }) => passed) ? 0 : 1;
}

const interrupted = 130;

/** Aborted by the first signal, so that nothing is left behind; a second one ends the program. */
function untilSignal(io: Io): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const stop = () => (controller.signal.aborted ? io.exit(interrupted) : controller.abort());
  const ends = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => io.onSignal(name, stop));
  return { signal: controller.signal, end: () => ends.forEach((end) => end()) };
}

function print(io: Io, outcomes: readonly CaseOutcome[]): void {
  const { name, result, time, reason } = heads;
  printTable(io, [name, result, time, reason], outcomes.map(toRow));
  const passed = outcomes.filter((outcome) => outcome.passed).length;
  printLine(io, tell(say('cli-eval-passed')`Passed: ${passed} of ${outcomes.length}`));
}

function toRow({ name, passed, durationMs, checks, error }: CaseOutcome): string[] {
  const result = tell(passed ? say('cli-eval-pass')`passed` : say('cli-eval-fail')`failed`);
  const wrong = checks.find((each) => !each.passed);
  const reason = error
    ? tell(messageOf(error))
    : (wrong?.reason ?? (wrong && describeCheck(wrong.check)));
  return [name, result, `${(durationMs / 1000).toFixed(1)} s`, reason ?? ''];
}
