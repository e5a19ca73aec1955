import { readFileSync, statSync } from 'node:fs';
import { CeriseError } from '#shared/errors/errors.ts';
import { say, type Sentence } from '#shared/errors/sentence.ts';
import { nearestNames } from '#shared/text/nearest-names.ts';
import { truncate } from '#shared/text/text.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import {
  type LimitName,
  limitSpecs,
  type Limits,
  type LimitUnit,
} from '#shared/vocabulary/limits.ts';

const prefix = 'CERISE_LIMIT_';
const names = Object.keys(limitSpecs) as LimitName[];

/** What a number may be followed by. */
const factors: Record<LimitUnit, Record<string, number>> = {
  bytes: { '': 1, b: 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 },
  ms: { '': 1, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 },
  count: { '': 1 },
};
const examples: Record<LimitUnit, Sentence> = {
  bytes: say('cli-limit-bytes')`Use bytes, or a number with KiB, MiB or GiB, such as 2MiB.`,
  ms: say('cli-limit-time')`Use milliseconds, or a number with s, min, h or d, such as 30s.`,
  count: say('cli-limit-count')`Use a whole number.`,
};

/** The variable that sets a limit: `CERISE_LIMIT_HTTP_BODY` for `httpBody`. */
export function variableOf(name: LimitName): string {
  return prefix + name.replaceAll(/[A-Z]/g, '_$&').toUpperCase();
}

/**
 * The limits that are set: by the JSON file that `CERISE_LIMITS` names, and by variables, which win.
 * Throws CeriseError `bad_setting` for what is no limit, no number or out of bounds.
 */
export function readLimits(env: NodeJS.ProcessEnv): Partial<Limits> {
  const limits: Partial<Record<LimitName, number>> = {};
  const file = env['CERISE_LIMITS'];
  const written = file ? readFile(file) : {};
  for (const [name, value] of Object.entries(written)) {
    const known = names.find((each) => each === name);
    if (!known) throw unknown(`${name} in ${file}`, nearestNames(name, names, 1));
    limits[known] = readLimit(known, value, `${name} in ${file}`);
  }
  const byVariable = new Map(names.map((name) => [variableOf(name), name]));
  for (const variable of Object.keys(env).filter((each) => each.startsWith(prefix))) {
    if (!env[variable]) continue;
    const known = byVariable.get(variable);
    if (!known) throw unknown(variable, nearestNames(variable, [...byVariable.keys()], 1));
    limits[known] = readLimit(known, env[variable], variable);
  }
  return limits;
}

/** Bytes; anything larger is another file. */
const maxFileBytes = 1024 * 1024;

function readFile(path: string): JsonObject {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > maxFileBytes) throw new Error('Not a small file.');
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw new CeriseError(
      'bad_setting',
      say('cli-limits-json')`CERISE_LIMITS: ${path} can't be read as JSON.`,
      {
        hint: say('cli-limits-json-hint')`Use a JSON file such as {"httpBody": "2MiB"}.`,
        cause,
      },
    );
  }
  throw new CeriseError(
    'bad_setting',
    say('cli-limits-object')`CERISE_LIMITS: ${path} isn't a JSON object.`,
    {
      hint: say('cli-limits-json-hint')`Use a JSON file such as {"httpBody": "2MiB"}.`,
    },
  );
}

function readLimit(name: LimitName, value: unknown, where: string): number {
  const { unit, least, most } = limitSpecs[name];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const [, digits = '', suffix = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text) ?? [];
  const factor = factors[unit][suffix.toLowerCase()];
  const number = digits === '' || factor === undefined ? Number.NaN : Number(digits) * factor;
  if (!Number.isInteger(number))
    throw new CeriseError(
      'bad_setting',
      say('cli-limit-invalid')`${where} isn't a valid limit: ${displayOf(value)}.`,
      {
        hint: examples[unit],
      },
    );
  if (number >= least && number <= most) return number;
  throw new CeriseError(
    'bad_setting',
    say('cli-limit-range')`${where} is out of range: ${displayOf(value)}.`,
    {
      hint: say(
        'cli-limit-range-hint',
      )`Use a value from ${inWords(least, unit)} to ${inWords(most, unit)}.`,
    },
  );
}

function displayOf(value: unknown): string {
  return truncate(typeof value === 'string' ? value : JSON.stringify(value), 100);
}

function unknown(where: string, [nearest]: string[]): CeriseError {
  return new CeriseError(
    'bad_setting',
    say('cli-limit-unknown')`${where} isn't the name of a limit.`,
    {
      hint: say(
        'cli-limit-unknown-hint',
      )`Did you mean ${nearest ?? ''}? See docs/operating.md for the full list.`,
    },
  );
}

/** A limit as people write it: the largest unit in which it is a whole number. */
export function inWords(value: number, unit: LimitUnit): string {
  const labels = { b: 'bytes', kib: 'KiB', mib: 'MiB', gib: 'GiB' } as Record<string, string>;
  const fits = ([name, factor]: [string, number]) =>
    name !== '' && value !== 0 && value % factor === 0;
  const [suffix = '', factor = 1] = Object.entries(factors[unit]).findLast(fits) ?? [];
  return `${value / factor} ${labels[suffix] ?? suffix}`.trim();
}
