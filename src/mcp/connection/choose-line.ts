import { stripVTControlCharacters } from 'node:util';

/** So many names of a list are enough. */
const maxNames = 5;

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
  /^\s*(?:throw|raise)\b/,
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
  /^\(node:\d+\) (?:\[\w+\] )?Warning:|triggerUncaughtException|^See '.*--help'/,
  /^\s*from \S+:\d+:in |^\s*in "[^"]+", line \d+, column \d+$/,
  /\d+ validation errors? for |^(?:Actual|Required): +\{|^Remove the existing file and|^with --force to overwrite/,
  /^This is related to npm not being able|^An unknown git error occurred$/,
  /^(?:code|errno|syscall) \S+$/,
  /^command failed$/,
  /^\d{3}\s*$/,
  /^(?:In most cases you|If you are behind a proxy)/,
  /^(?:Note that you can also install|tarball, folder)/,
  /^npm (?:warn|notice|http|info|verbose|WARN)\b/,
  /^(?:During handling of|The above exception)/,
  /^note: run with `RUST_BACKTRACE|^\s*For further information visit|^\s*(?:Actual|Valid) (?:os|cpu):/,
  /^(?:goroutine \d+|\[signal SIG|stack backtrace:)/,
];

/** Lines that begin with what went wrong. */
const errorStart =
  /^(?:\S+\s+)?(?:\[?[\w.]*(?:error|exception|fatal|panic|failed|failure)\w*\]?\b|cannot\b|can't\b|could not\b|missing\b|invalid\b|please\b|usage:)|\b(?:is|are) (?:required|missing|not set)\b|not provided|must (?:be|specify|provide|set)|\bis not compatible\b|: (?:field )?required$|\bpanicked at\b/i;

/** A line without colours, the zeros of UTF-16, times and the names that loggers and npm put before it. */
export function cleanLine(line: string): string {
  return stripVTControlCharacters(line)
    .replaceAll('\0', '')
    .replace(
      /^npm (?:error|ERR!)\s?(?:(?:\d{3}|notarget|network|enoent|eacces|nospc|notsup|engine|need auth)(?:\s+|$))?/,
      '',
    )
    .replace(/^\s*"message":\s*"(.*)",?$/, '$1')
    .replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, '')
    .replace(/^[EF]\d{4} [\d:.]+\s+\d+ \S+:\d+\] /, '')
    .replace(/^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.,]*(?:Z|[+-]\d\d:?\d\d)?\]?\s*/, '')
    .replace(/^\[[A-Z]+ \d{4}-\d\d-\d\dT[\d:.]+Z\]\s*/, '')
    .replace(/^\s*\[(?:\d+|cause)\]:?\s*/, '')
    .replace(/^[\s|+]*[╰├╭×│║─▶➤|]+\s*|\s*[│║]\s*$/g, '')
    .replace(/^(?:\p{Extended_Pictographic}\uFE0F?\s*)+/u, '')
    .trimEnd();
}

/** The lines that may explain an end, cleaned; stderr first. */
export function candidates({ stderr, stdout }: Output): string[] {
  return withNames(withFields([...stderr, ...stdout].map(logMessage).map(cleanLine)))
    .filter((line) => line.trim() !== '' && !noise.some((pattern) => pattern.test(line)))
    .map((line) => line.trim());
}

/** Of a line of a JSON logger only what it says, with the error that it names. */
function logMessage(line: string): string {
  const [, said, error = ''] =
    /^time=\S+ level=\w+ msg=("(?:[^"\\]|\\.)*"|\S+)(?:.* err(?:or)?=("(?:[^"\\]|\\.)*"|\S+))?/.exec(
      line,
    ) ?? [];
  if (said !== undefined) return [said, error].map(unquoted).filter(Boolean).join(': ');
  if (!line.startsWith('{')) return line;
  try {
    const { msg, message, error, err } = JSON.parse(line) as Record<string, unknown>;
    const text = (...values: unknown[]) => values.find((value) => typeof value === 'string');
    const words = [text(message, msg), text(error, err)].filter((word) => word !== undefined);
    return words.join(': ') || line;
  } catch {
    return line;
  }
}

/** A value of a logger that writes `name="value"`. */
function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, '$1').replaceAll('\\"', '"');
}

/** Validators write what is wrong with a field below its name: both make one line. */
function withFields(lines: string[]): string[] {
  return lines.map((line, at) => {
    const wrong = /^\W*(?:message: ')?(Field required|Required|Invalid input: .*undefined)\b/.exec(
      line,
    )?.[1];
    const above = lines.slice(Math.max(0, at - 2), at).toReversed();
    const below = /^\s*→ at ([A-Za-z]\w*)$/.exec(lines[at + 1] ?? '')?.[1];
    const field =
      below ??
      above
        .map((each) => /^\s*(?:path: \[ ')?"?([A-Za-z]\w*)(?:' \]|"?),?\s*$/.exec(each)?.[1])
        .find((name) => name !== undefined);
    return wrong === undefined || field === undefined ? line : `${field}: ${wrong}`;
  });
}

/** The names of a list of variables stand in the line above it, which says what is wrong with them. */
function withNames(lines: string[]): string[] {
  return lines.map((line, at) => {
    if (!/variables?\b.*:$/i.test(line)) return line;
    const below = lines
      .slice(at + 1)
      .map((each) => /^[\s*•-]*([A-Z][A-Z0-9_]{2,})(?::.*)?$/.exec(each)?.[1]);
    const end = below.indexOf(undefined);
    const names = below.slice(0, end < 0 ? maxNames : Math.min(end, maxNames));
    return names.length === 0 ? line : `${line} ${names.join(', ')}`;
  });
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
