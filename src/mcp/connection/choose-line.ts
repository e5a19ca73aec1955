import { stripVTControlCharacters } from 'node:util';

/** What a process wrote before its end. */
export interface Output {
  stderr: readonly string[];
  stdout: readonly string[];
}

/** Lines that never explain anything: stacks, code, closing braces, versions, hints of npm and Node. */
const noise: readonly RegExp[] = [
  /^\s*at\s.*[:(]/,
  /^\s*[\^~\s]+$/,
  /^[\s{}[\](),;'"]*$/,
  /^Node\.js v\d/,
  /^(?:file:\/\/|node:|\/|[A-Z]:\\)\S*:\d+$/,
  /^\s*throw\b/,
  /^\s*(?:const|let|var|return|import|export|await|if)\b.*[;{(]\s*$/,
  /^\s*"\w+":\s/,
  /^Require stack:/,
  /^- \//,
  /DeprecationWarning|ExperimentalWarning|\(Use `node --trace/,
  /^\s*(?:code|errno|syscall|address|port|path|type|requiredBy|requireStack|url|length): ?['[\d]/,
  /^Traceback \(most recent call last\)/,
  /^\s+File ".*", line \d+/,
  /^(?:warn|warning|info|notice|http|verb|debug)\b/i,
  /^\[(?:info|debug|warn|warning|notice)\]/i,
  /A complete log of this run|debug-\d+\.log/,
  /^(?:code|errno|syscall) \S+$/,
  /^\d{3}\s*$/,
  /^(?:This is a problem related to network|In most cases you|If you are behind a proxy)/,
  /^(?:Note that you can also install|tarball, folder)/,
  /^npm (?:warn|notice|http|info|verbose|WARN)\b/,
  /^(?:During handling of|The above exception)/,
];

/** Lines that begin with what went wrong. */
const errorStart =
  /^(?:\S+\s+)?(?:\[?\w*(?:error|exception|fatal|panic|failed|failure)\w*\]?\b|cannot\b|can't\b|could not\b|missing\b|invalid\b|please\b|usage:)|\b(?:is|are) (?:required|missing|not set)\b|not provided|must (?:be|specify|provide|set)/i;

/** A line without colours, times and the names that loggers and npm put before it. */
export function cleanLine(line: string): string {
  return stripVTControlCharacters(line)
    .replace(/^npm (?:error|ERR!)\s?(?:(?:\d{3}|notarget|network|enoent|eacces)(?:\s+|$))?/, '')
    .replace(/^\s*"message":\s*"(.*)",?$/, '$1')
    .replace(/^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.,]*(?:Z|[+-]\d\d:?\d\d)?\]?\s*/, '')
    .replace(/^\s*\[(?:\d+|cause)\]:?\s*/, '')
    .replace(/^\s*[╰├×│─▶]+\s*/, '')
    .replace(/^(?:\p{Extended_Pictographic}\uFE0F?\s*)+/u, '')
    .trimEnd();
}

/** The lines that may explain an end, cleaned; stderr first. */
export function candidates({ stderr, stdout }: Output): string[] {
  return [...stderr, ...stdout.map(logMessage)]
    .map(cleanLine)
    .filter((line) => line.trim() !== '' && !noise.some((pattern) => pattern.test(line)))
    .map((line) => line.trim());
}

/** Of a line of a JSON logger only what it says. */
function logMessage(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { msg, message } = JSON.parse(line) as { msg?: unknown; message?: unknown };
    return [message, msg].find((text) => typeof text === 'string') ?? line;
  } catch {
    return line;
  }
}

/** The line that explains an end best: the first that speaks of an error, else the last. Pure. */
export function chooseLine(output: Output): string | undefined {
  const lines = candidates(output);
  const at = lines.findIndex((line) => errorStart.test(line));
  if (at < 0) return lines.at(-1);
  const line = lines[at] ?? '';
  // `Server error: [` says what it is on the next line.
  return /[[{(:]$/.test(line) && lines[at + 1] !== undefined
    ? `${line.replace(/\s*[[{(]$/, '')} ${lines[at + 1]}`
    : line;
}
