import { truncate } from '#shared/text/text.ts';

const maxLineChars = 4096;
const minSecretChars = 6;
/** How much of a run is looked at to explain its end: how it began and how it ended. */
const firstLines = 60;
const lastLines = 140;
const bearer = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;

/** The last lines a server wrote or we noted about it, without the secrets we know. */
export class LogRing {
  readonly #lines: string[] = [];
  readonly #maxBytes: number;
  #secrets: string[] = [];
  #bytes = 0;
  #output: Record<'stderr' | 'stdout', string[]> = { stderr: [], stdout: [] };
  /** Called after each new line. */
  onPush: () => void = () => undefined;
  /** Called after each line that the server itself wrote. */
  onOutput: (line: string) => void = () => undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Values that must never be shown; the longest first, so that none leaves a rest behind. */
  setSecrets(secrets: readonly string[]): void {
    this.#secrets = secrets
      .filter((secret) => secret.length >= minSecretChars)
      .toSorted((a, b) => b.length - a.length);
  }

  /** `note` stands before the line, where it needs a word of ours. */
  push(source: 'stderr' | 'stdout' | 'event' | 'log', text: string, note = ''): void {
    const own = this.redact(truncate(text, maxLineChars));
    if (source === 'stderr' || source === 'stdout') this.#wrote(source, own);
    const clean = note + own;
    const line = `${new Date().toISOString()} ${source}: ${clean}`;
    this.#lines.push(line);
    this.#bytes += Buffer.byteLength(line);
    while (this.#bytes > this.#maxBytes && this.#lines.length > 1) {
      this.#bytes -= Buffer.byteLength(this.#lines.shift() ?? '');
    }
    this.onPush();
  }

  redact(text: string): string {
    let clean = text;
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, '[redacted]');
    return clean.replace(bearer, '$1 [redacted]');
  }

  /** What the server wrote since it was started: the first lines and the last ones. */
  get output(): Readonly<Record<'stderr' | 'stdout', readonly string[]>> {
    return this.#output;
  }

  /** Starts a new run: what was written before does not explain its end. */
  forgetOutput(): void {
    this.#output = { stderr: [], stdout: [] };
  }

  #wrote(source: 'stderr' | 'stdout', line: string): void {
    if (line.trim() === '') return;
    const lines = this.#output[source];
    lines.push(line);
    if (lines.length > firstLines + lastLines) lines.splice(firstLines, 1);
    this.onOutput(line);
  }

  lines(): string[] {
    return [...this.#lines];
  }
}
