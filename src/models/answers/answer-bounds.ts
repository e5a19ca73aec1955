import { tooLargeArguments } from '#shared/errors/arguments-size.ts';
import { CeriseError, type ErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { type Limits, usualLimits } from '#shared/vocabulary/limits.ts';

/** How much one answer of a model may bring: more comes from no model that works. */
export type AnswerBounds = Pick<
  Limits,
  'argumentsPerCall' | 'argumentsPerRound' | 'textPerRound' | 'partsPerRound' | 'mediaPerRound'
>;

/** What a model that is no host's keeps to. */
export const usualBounds: AnswerBounds & Pick<Limits, 'modelEvent'> = usualLimits;

/** Unwinds the reader of an answer that was ended because no more of it is wanted. */
export class AnswerFull extends Error {}

/** Longer names, ids and types mean nothing to anybody. */
const maxNameChars = 256;

/** A name as it may be kept. What is cut is copied, so that the rest of it is not held. */
export function shortName(name: string): string {
  return name.length <= maxNameChars ? name : Buffer.from(name.slice(0, maxNameChars)).toString();
}

/** So many parts may be open at once that nothing has been said of yet. */
const maxOpen = 4096;

/** Throws where more parts of an answer are open than any answer has. */
export function refuseCrowd({ size }: { readonly size: number }): void {
  if (size >= maxOpen) throw tooLong();
}

/** Counts what an answer has brought. Throws where that is more than an answer can be. */
export class AnswerBudget {
  readonly #bounds: AnswerBounds;
  #text = 0;
  #arguments = 0;
  #media = 0;
  #parts = 0;
  /** True once it has been said: what is then still closed is let pass. */
  #isSpent = false;

  constructor(bounds: AnswerBounds = usualBounds) {
    this.#bounds = bounds;
  }

  /** Words, thoughts, and what is kept with them. */
  text(length: number): void {
    this.#text += length;
    if (this.#text > this.#bounds.textPerRound) this.#refuse();
  }

  media(length: number): void {
    this.#media += length;
    if (this.#media > this.#bounds.mediaPerRound) this.#refuse();
  }

  /** Another part begins. */
  part(): void {
    if (!this.hasPart()) this.#refuse();
  }

  /** The same, for callers that can do without. */
  hasPart(): boolean {
    this.#parts += 1;
    return this.#parts <= this.#bounds.partsPerRound;
  }

  /** Why a call cannot be made that has this many arguments, `more` of them new. */
  arguments(ofCall: number, more: number): { problem: ErrorInfo; isFull: boolean } | undefined {
    this.#arguments += more;
    const { argumentsPerCall, argumentsPerRound } = this.#bounds;
    const isFull = this.#arguments > argumentsPerRound;
    if (!isFull && ofCall <= argumentsPerCall) return undefined;
    return { problem: tooLargeArguments(isFull ? argumentsPerRound : argumentsPerCall), isFull };
  }

  #refuse(): void {
    if (this.#isSpent) return;
    this.#isSpent = true;
    throw tooLong();
  }

  /** The same of arguments that are whole, in bytes; while they come, characters are counted. */
  tooLarge(whole: string): ErrorInfo | undefined {
    const { argumentsPerCall: most } = this.#bounds;
    const mayBe = whole.length * 3 > most;
    return mayBe && Buffer.byteLength(whole) > most ? tooLargeArguments(most) : undefined;
  }
}

function tooLong(): CeriseError {
  return new CeriseError(
    'model_length',
    say('answer-too-long')`The answer was cut off because it's too long for Cerise.`,
    { hint: say('answer-too-long-hint')`Ask for a shorter answer, or use another model.` },
  );
}
