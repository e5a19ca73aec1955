import { type Context, createContext, Script } from 'node:vm';
import { say } from '#shared/errors/sentence.ts';
import { type Run, spend, Unchecked } from './check.ts';

const maxPatternChars = 256;
const maxLongRepeats = 3;
const longCount = 16;
const maxChoices = 10_000;
/** Work, in characters looked at, that needs no watching; 16 of them count as one step. */
const harmlessWork = 100_000;
const workPerStep = 16;
const maxTries = 3;

/** Tests a text; throws Unchecked when that takes more than is left. */
export type Matcher = (text: string, run: Run) => boolean;

/** How a pattern can go wrong: ways to match that multiply, and repeats of any length. */
interface Ambiguity {
  choices: number;
  longRepeats: number;
}

/**
 * A matcher for a stranger's pattern that is cheap to run: legal, short, and without the repeats
 * inside repeats that make matching take exponential time; undefined for any other. Errs on the side
 * of refusing. What could still take long on a long text is interrupted in time.
 */
export function guardPattern(pattern: string): Matcher | undefined {
  const expression = compile(pattern);
  const ambiguity = expression && ambiguityOf(pattern);
  if (!ambiguity) return undefined;
  return (text, run) => {
    const work = ambiguity.choices * text.length ** ambiguity.longRepeats;
    if (work > harmlessWork) return watched(() => expression.test(text), run);
    spend(run, 1 + work / workPerStep);
    return expression.test(text);
  };
}

/**
 * Runs with a watchdog that can interrupt even a pattern that matches for ever. Its clock is the wall's:
 * what was interrupted because the machine had no time for it runs again, so it may change nothing.
 */
export function withinTime<T>(action: () => T, time: number): T {
  for (let tries = 1; ; tries += 1) {
    const before = process.threadCpuUsage();
    try {
      return runWatched(action, time);
    } catch (error) {
      // An interrupted action throws an error of another realm.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const { user, system } = process.threadCpuUsage(before);
      const wasIdle = (user + system) / 1000 < time / 2;
      if (!wasIdle || tries === maxTries)
        throw new Unchecked(say('takes-too-long')`it takes too long`, true);
    }
  }
}

function runWatched<T>(action: () => T, time: number): T {
  watchdog ??= { script: new Script('action()'), context: createContext({}) };
  watchdog.context.action = action;
  try {
    return watchdog.script.runInContext(watchdog.context, { timeout: time }) as T;
  } finally {
    watchdog.context.action = undefined;
  }
}

let watchdog: { script: Script; context: Context } | undefined;

function watched(test: () => boolean, run: Run): boolean {
  if (run.patternMs <= 0) throw new Unchecked(say('takes-too-long')`it takes too long`, true);
  const started = performance.now();
  try {
    return withinTime(test, Math.ceil(run.patternMs));
  } finally {
    run.patternMs -= performance.now() - started;
  }
}

function compile(pattern: string): RegExp | undefined {
  if (pattern.length > maxPatternChars || /\\[1-9]|\\k</.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/** Undefined for what is too ambiguous. A pattern that may start anywhere repeats once more. */
function ambiguityOf(pattern: string): Ambiguity | undefined {
  // Classes and escapes are single characters to this check.
  const plain = pattern
    .replace(/\\[pPu]\{[^}]*\}|\\./gs, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, '(');
  const counts = walkGroups(plain);
  if (!counts || counts.choices > maxChoices || counts.longRepeats > maxLongRepeats)
    return undefined;
  const anchored = plain.startsWith('^') && !counts.choiceOutside;
  return { choices: counts.choices, longRepeats: counts.longRepeats + (anchored ? 0 : 1) };
}

/** A group that repeats must not hold a repeat or a choice; everything else multiplies. */
function walkGroups(pattern: string): (Ambiguity & { choiceOutside: boolean }) | undefined {
  const open: { ambiguous: boolean }[] = [{ ambiguous: false }];
  const counts = { choices: 1, longRepeats: 0, choiceOutside: false };
  let closed: { ambiguous: boolean } | undefined;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    const repeat = repeatAt(pattern, at);
    const several = repeat !== undefined && repeat !== 'once';
    if (several && closed?.ambiguous) return undefined;
    if (repeat === 'long') counts.longRepeats += 1;
    if (typeof repeat === 'number') counts.choices *= repeat;
    if (character === '|' || character === '?') counts.choices *= 2;
    if (character === '|' && open.length === 1) counts.choiceOutside = true;
    if (several || character === '|' || character === '?') {
      for (const group of open) group.ambiguous = true;
    }
    if (character === '(') open.push({ ambiguous: false });
    closed = character === ')' ? open.pop() : undefined;
  }
  return counts;
}

/** How the preceding atom repeats: to any length, in so many ways, or `once`: a fixed count of one character. */
function repeatAt(pattern: string, at: number): 'long' | 'once' | number | undefined {
  const character = pattern[at];
  if (character === '*' || character === '+') return 'long';
  if (character !== '{') return undefined;
  const counts = /^\{(\d+)(,?)(\d*)\}/.exec(pattern.slice(at, at + 24));
  if (!counts) return undefined;
  const [, least, comma, most] = counts;
  if (comma && !most) return 'long';
  if (Number(most || least) > longCount) return 'long';
  if (!comma) return pattern[at - 1] === ')' ? 1 : 'once';
  return Number(most) - Number(least) + 1;
}
