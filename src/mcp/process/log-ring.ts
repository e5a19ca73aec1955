import { truncate } from '#shared/text/text.ts';

const maxLineChars = 4096;
const shortestSecret = 6;
const bearer = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;

/** The last lines a server wrote or we noted about it, without the secrets we know. */
export class LogRing {
  readonly #lines: string[] = [];
  readonly #maxBytes: number;
  #secrets: string[] = [];
  #bytes = 0;
  #lastError: string | undefined;
  /** Called after each new line. */
  onPush: () => void = () => undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Values that must never be shown; the longest first, so that none leaves a rest behind. */
  setSecrets(secrets: readonly string[]): void {
    this.#secrets = secrets
      .filter((secret) => secret.length >= shortestSecret)
      .toSorted((a, b) => b.length - a.length);
  }

  push(source: 'stderr' | 'stdout' | 'event' | 'log', text: string): void {
    const clean = this.redact(truncate(text, maxLineChars));
    if (source === 'stderr' && clean.trim() !== '') this.#lastError = clean.trim();
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

  /** The last line of stderr since the server was started. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  /** Starts a new run: an older run's last words do not explain it. */
  forgetLastError(): void {
    this.#lastError = undefined;
  }

  lines(): string[] {
    return [...this.#lines];
  }
}
