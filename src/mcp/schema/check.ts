import { say, textOf, type Words } from '#shared/errors/sentence.ts';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';

/** What does not fit, and where: the keys from the outside in. */
export interface Misfit {
  path: string[];
  text: Words;
}

const stepsBetweenLooks = 10_000;
/** Milliseconds for everything but slow patterns, and for these. */
const stepMs = 100;
const patternMs = 100;

/** What one check of a value may still use up; shared by all its parts. */
export interface Run {
  /** Until the next look at the clock. */
  steps: number;
  /** When time is up; set at the first look, because most checks never get there. */
  deadline?: number;
  /** Milliseconds for patterns that could take long. */
  patternMs: number;
  /** How many references are being followed at the moment. */
  references: number;
}

export function newRun(): Run {
  return { steps: stepsBetweenLooks, patternMs, references: 0 };
}

/** Judges one value by one schema. Throws Unchecked where it cannot. */
export type Check = (value: unknown, run: Run) => Misfit | undefined;

/** Turns a schema below the present one into its check. */
export type Compile = (schema: unknown) => Check;

/** Why a value could not be judged. */
export class Unchecked extends Error {
  readonly late: boolean;
  readonly reason: Words;

  constructor(reason: Words, late = false) {
    super(textOf(reason));
    this.reason = reason;
    this.name = 'Unchecked';
    this.late = late;
  }
}

/** Counts work; throws Unchecked when time is up. */
export function spend(run: Run, steps: number): void {
  run.steps -= steps;
  if (run.steps < 0) lookAtClock(run);
}

function lookAtClock(run: Run): void {
  const now = performance.now();
  run.deadline ??= now + stepMs;
  if (now > run.deadline) throw new Unchecked(say('takes-too-long')`it takes too long`, true);
  run.steps = stepsBetweenLooks;
}

export function misfit(text: Words): Misfit {
  return { path: [], text };
}

/** The same misfit, seen from outside. */
export function below(key: string | number, misfit: Misfit): Misfit {
  misfit.path.unshift(String(key));
  return misfit;
}

/** A value's own property; what every object inherits is not there. */
export function own(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
