import { hostLogLevels, type HostLogLevel, type HostLogLine } from '#shared/telemetry/log-api.ts';
import type { Logger } from '#shared/vocabulary/ports.ts';
import { redactFields, redactText } from './redact.ts';

/** What each line costs besides its text. */
const lineBytes = 100;

interface LinesWanted {
  level?: HostLogLevel | undefined;
  text?: string | undefined;
  after?: number | undefined;
}

type Listener = (news: { line: HostLogLine } | { level: string }) => void;

/**
 * The log of this instance: every line at or above the level goes to the output, and the last ones stay in memory.
 * Both get them without secrets. Losing them costs nothing.
 */
export class HostLog implements Logger {
  readonly #output: Logger;
  readonly #maxBytes: number;
  readonly #now: () => number;
  readonly #lines: HostLogLine[] = [];
  readonly #listeners = new Set<Listener>();
  #bytes = 0;
  #count = 0;
  #level: string;

  constructor(output: Logger, level: string, maxBytes: number, now: () => number) {
    this.#output = output;
    this.#level = level;
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  get level(): string {
    return this.#level;
  }

  set level(level: string) {
    this.#level = level;
    for (const listener of this.#listeners) listener({ level });
  }

  /** The number of the last line. */
  get last(): number {
    return this.#count;
  }

  debug(fields: object, message: string): void {
    this.#write('debug', fields, message);
  }

  info(fields: object, message: string): void {
    this.#write('info', fields, message);
  }

  warn(fields: object, message: string): void {
    this.#write('warn', fields, message);
  }

  error(fields: object, message: string): void {
    this.#write('error', fields, message);
  }

  /** The last lines that are as grave as `level` and have the text, oldest first. */
  lines(wanted: LinesWanted = {}): HostLogLine[] {
    const { level = 'debug', text = '', after = 0 } = wanted;
    return this.#lines.filter(
      (line) => line.n > after && isAsGrave(line.level, level) && hasText(line, text),
    );
  }

  /** Returns a function that ends the subscription. A listener must not write into the log. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #write(level: HostLogLevel, fields: object, message: string): void {
    if (!isAsGrave(level, this.#level)) return;
    const clean = redactFields(fields);
    const text = redactText(message);
    this.#output[level](clean, text);
    const line: HostLogLine = { n: (this.#count += 1), at: this.#now(), level, message: text };
    if (Object.keys(clean).length > 0) line.fields = JSON.stringify(clean);
    this.#lines.push(line);
    this.#bytes += sizeOf(line);
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#lines.shift();
      if (!oldest) break;
      this.#bytes -= sizeOf(oldest);
    }
    for (const listener of this.#listeners) listener({ line });
  }
}

/** The levels of the start know some more: `trace` is less than all, `fatal` and `silent` are more. */
function isAsGrave(level: HostLogLevel, least: string): boolean {
  if (least === 'trace') return true;
  const rank = hostLogLevels.findIndex((each) => each === least);
  return rank >= 0 && hostLogLevels.indexOf(level) >= rank;
}

function hasText({ message, fields = '' }: HostLogLine, text: string): boolean {
  return text === '' || `${message} ${fields}`.toLowerCase().includes(text.toLowerCase());
}

function sizeOf({ message, fields = '' }: HostLogLine): number {
  return lineBytes + message.length + fields.length;
}
