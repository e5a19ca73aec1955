import { isJsonObject } from '#shared/json.ts';

/** A line of a server's log as text, whether the host gives text or parts. */
export function logLine(line: unknown): string {
  if (typeof line === 'string') return line;
  if (!isJsonObject(line)) return String(line);
  const { at, time, source, level, text, message } = line;
  const moment = typeof at === 'number' ? at : time;
  const clock = typeof moment === 'number' ? new Date(moment).toLocaleTimeString() : moment;
  return [clock, source ?? level, text ?? message ?? JSON.stringify(line)]
    .map((part) => (typeof part === 'string' ? part : ''))
    .filter((part) => part !== '')
    .join('  ');
}
