import { readHostLog } from '#client/stream/read-events.ts';
import { hostLogLevels, type HostLogLevel, type HostLogLine } from '#shared/telemetry/log-api.ts';
import { say } from '#shared/errors/sentence.ts';
import { requireRunning } from '../client/connect.ts';
import { printLine } from '../printing/print.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { Io } from '../terminal/io.ts';
import { terminalText } from '../terminal/terminal-text.ts';
import { commands } from '../usage/commands.ts';
import { readOptions, wrongUse } from '../usage/options.ts';

/** `cerise logs`: the last lines of the running host, and with `--follow` what comes until Ctrl-C. */
export async function logs(settings: CliSettings, argv: string[], io: Io): Promise<number> {
  const { values } = readOptions(argv, commands.logs);
  const least = readLevel(values.level);
  const { connection } = await requireRunning(settings);
  const stop = new AbortController();
  io.onSignal('SIGINT', () => stop.abort());
  const print = (line: HostLogLine) => {
    if (hostLogLevels.indexOf(line.level) < hostLogLevels.indexOf(least)) return;
    printLine(io, values.json ? JSON.stringify(line) : terminalText(lineText(line)));
  };
  for await (const event of readHostLog(connection, stop.signal)) {
    if ('log' in event) event.log.lines.forEach(print);
    else if ('line' in event) print(event.line);
    if (!values.follow) break;
  }
  return 0;
}

function readLevel(text: string): HostLogLevel {
  const level = hostLogLevels.find((each) => each === text);
  if (level) return level;
  throw wrongUse(
    say('cli-logs-level-range')`--level must be one of ${hostLogLevels.join(', ')}.`,
    commands.logs,
  );
}

function lineText({ at, level, message, fields }: HostLogLine): string {
  return [new Date(at).toISOString(), level.toUpperCase(), message, fields]
    .filter(Boolean)
    .join(' ');
}
