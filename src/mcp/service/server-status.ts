import type { DiagnosisView } from '#shared/api/server-api.ts';
import type { ErrorCode } from '#shared/errors/errors.ts';
import { type SentenceRef, sentenceRef, textOf, type Words } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ServerFix, ServerState } from '#shared/vocabulary/server.ts';
import type { ProcessInfo } from '../process/process-tree.ts';
import type { McpTool } from '../results/types.ts';

/** What a server is doing, and why in a sentence a person can act on. */
export interface ServerStatus {
  state: ServerState;
  reason?: string;
  reasonSaid?: SentenceRef;
  reasonCode?: ErrorCode;
  since: number;
  /** When the next attempt is made, while `reconnecting`. */
  retryAt?: number;
  /** What was written last, while `installing`. */
  output?: string;
  /** The change of its config that would help. */
  fix?: ServerFix;
}

/** Everything that explains why a server works or does not. Holds no secret. */
export interface Diagnosis extends Pick<DiagnosisView, 'access' | 'sandbox'> {
  id: string;
  name: string;
  state: ServerState;
  reason?: string;
  reasonSaid?: SentenceRef;
  since: number;
  retryAt?: number;
  output?: string;
  fix?: ServerFix;
  /** As configured, and what was found to work if that differs. */
  transport: { configured: string; used?: string };
  era?: 'legacy' | 'modern';
  protocolVersion?: string;
  serverInfo?: { name: string; version: string; title?: string };
  capabilities?: JsonObject;
  /** What was asked to find the era, and what came of it. */
  probes: { text: string; textSaid?: SentenceRef }[];
  auth: { state: 'not-needed' | 'none' | 'signed-in' | 'expired'; issuer?: string; scope?: string };
  /** Milliseconds since each list was loaded. */
  cacheAges: Record<string, number>;
  lateAnswers: number;
  errors: { at: number; message: string; messageSaid?: SentenceRef }[];
  processes: ProcessInfo[];
  /** What a person should do next. */
  hint: string;
  hintSaid?: SentenceRef | undefined;
}

/** What came of asking a connected server; empty for any other. */
export interface Examination {
  ping?: { ms: number } | { error: string; errorSaid?: SentenceRef };
  tools?: {
    count: number;
    /** Whether it has more than are used. */
    cut: boolean;
    /** Those that nobody can use, and why. */
    unusable: { name: string; reason: string; reasonSaid?: SentenceRef }[];
  };
}

/** What of the tools of a server can be used. */
export function describeTools(
  tools: readonly McpTool[],
): Omit<NonNullable<Examination['tools']>, 'cut'> {
  const unusable = tools.flatMap(({ name, problem }) => {
    if (problem === undefined) return [];
    const reasonSaid = sentenceRef(problem);
    return [{ name, reason: textOf(problem), ...(reasonSaid && { reasonSaid }) }];
  });
  return { count: tools.length, unusable };
}

/** Why a server comes into a state. */
interface Why extends Partial<Pick<ServerStatus, 'since' | 'retryAt' | 'output' | 'fix'>> {
  reason?: Words | undefined;
  reasonCode?: ErrorCode | undefined;
}

const tellMs = 1000;
const maxOutputChars = 300;

/** The state of one server; tells each change of it. */
export class StatusBoard {
  readonly #onChange: (status: ServerStatus) => void;
  #current: ServerStatus;
  #toldAt = 0;
  /** What is to be told when a second has passed, by this timer. */
  #untold: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(state: ServerState, onChange: (status: ServerStatus) => void) {
    this.#current = { state, since: Date.now() };
    this.#onChange = onChange;
  }

  get current(): ServerStatus {
    return this.#current;
  }

  /** Tells what is downloaded, about once a second; with nothing more to tell, the server connects. */
  installing(text: string | undefined): void {
    const { state, since } = this.#current;
    if (text === undefined) {
      if (state === 'installing') this.set('connecting');
      return;
    }
    const output = truncate(text, maxOutputChars);
    if (state !== 'installing') this.set('installing', { output });
    else if (performance.now() - this.#toldAt > tellMs) this.set('installing', { output, since });
    else {
      this.#untold = output;
      if (this.#timer === undefined)
        this.#timer = setTimeout(() => this.#tellLate(), tellMs).unref();
    }
  }

  /** The last step may take minutes: what it is must not be lost to the one just before. */
  #tellLate(): void {
    this.#timer = undefined;
    const { since } = this.#current;
    if (this.#untold !== undefined) this.set('installing', { output: this.#untold, since });
  }

  set(state: ServerState, why: Why = {}): void {
    const { reason: words, reasonCode, retryAt, output, fix, since = Date.now() } = why;
    this.#untold = undefined;
    const reason = words && textOf(words);
    const reasonSaid = sentenceRef(words);
    const before = this.#current;
    const same =
      state === before.state &&
      reason === before.reason &&
      retryAt === before.retryAt &&
      output === before.output;
    if (same) return;
    this.#current = {
      state,
      ...(reason && { reason }),
      ...(reason && reasonSaid && { reasonSaid }),
      ...(reason && reasonCode && { reasonCode }),
      since,
      ...(retryAt && { retryAt }),
      ...(output && { output }),
      ...(fix && { fix }),
    };
    this.#toldAt = performance.now();
    this.#onChange(this.#current);
  }
}
