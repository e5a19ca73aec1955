import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type LimitName, limitSpecs } from '#shared/vocabulary/limits.ts';
import { temporaryFolder } from '../../../test/databases.ts';
import { inWords, readLimits, variableOf } from './read-limits.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function fileOf(text: string): Promise<string> {
  const { home } = await temporaryFolder(cleanups);
  const path = join(home, 'limits.json');
  await writeFile(path, text);
  return path;
}

describe('the limits that are set', () => {
  it('are read with their units, by variables and by a file, variables first', async () => {
    const file = await fileOf('{"httpBody": "3 MiB", "file": 1048576, "heartbeat": "20s"}');
    expect(readLimits({ CERISE_LIMITS: file, CERISE_LIMIT_HTTP_BODY: '2MiB' })).toEqual({
      httpBody: 2 * 1024 * 1024,
      file: 1024 * 1024,
      heartbeat: 20_000,
    });
    expect(readLimits({})).toEqual({});
    expect(readLimits({ CERISE_LIMIT_CALL_TOTAL_TIME: '1.5h' })).toEqual({
      callTotalTime: 5_400_000,
    });
  });

  it.each([
    [{ CERISE_LIMIT_HTTP_BDY: '1MiB' }, 'Did you mean CERISE_LIMIT_HTTP_BODY?'],
    [{ CERISE_LIMIT_HTTP_BODY: 'much' }, 'such as 2MiB'],
    [{ CERISE_LIMIT_HTTP_BODY: '-1' }, 'such as 2MiB'],
    [{ CERISE_LIMIT_HTTP_BODY: '5s' }, 'such as 2MiB'],
    [{ CERISE_LIMIT_HTTP_BODY: '0' }, 'Use a value from 1 KiB to 4 GiB.'],
    [{ CERISE_LIMIT_HEARTBEAT: '2h' }, 'Use a value from 100 ms to 1 min.'],
    [{ CERISE_LIMIT_CALLS_PER_TURN: '1.5' }, 'Use a whole number.'],
    [{ CERISE_LIMITS: '/nowhere/limits.json' }, 'Use a JSON file'],
    [{ CERISE_LIMITS: '/' }, 'Use a JSON file'],
    [{ CERISE_LIMIT_INPUT_TIME: '30d' }, 'Use a value from 100 ms to 24 d.'],
  ])('are refused where they make no sense: %j', (env, hint) => {
    expect(() => readLimits(env)).toThrow(
      expect.objectContaining({ code: 'bad_setting', hint: expect.stringContaining(hint) }),
    );
  });

  it('are refused in a file as well', async () => {
    const unknown = await fileOf('{"httpBdy": 1}');
    expect(() => readLimits({ CERISE_LIMITS: unknown })).toThrow(/httpBdy in .* isn't the name/);
    const list = await fileOf('[]');
    expect(() => readLimits({ CERISE_LIMITS: list })).toThrow("isn't a JSON object");
    const large = await fileOf(`{"httpBody": "1 MiB"${' '.repeat(2 * 1024 * 1024)}}`);
    expect(() => readLimits({ CERISE_LIMITS: large })).toThrow("can't be read");
    for (const value of ['["1 MiB"]', '[1048576]', 'null', 'true', '{}', '"１"', '1e300', '[[]]']) {
      const file = await fileOf(`{"httpBody": ${value}}`);
      expect(() => readLimits({ CERISE_LIMITS: file }), value).toThrow(
        /isn't a valid limit|out of range/,
      );
    }
  });

  it('T90: are no longer than a timer can wait, where one does', () => {
    const longestTimer = 2 ** 31 - 1;
    const byClock: LimitName[] = [
      'unsentFileTime',
      'directCallTime',
      'programIdleTime',
      'programRegistrationTime',
      'v1KeptTime',
      'v1StoredTime',
      'recordTime',
    ];
    const names = (Object.keys(limitSpecs) as LimitName[]).filter(
      (name) => limitSpecs[name].unit === 'ms' && limitSpecs[name].most > longestTimer,
    );
    expect(names).toEqual(byClock);
  });

  it('are all listed in docs/operating.md, with what ships and what they are for', () => {
    const operating = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
    const rows = [...operating.matchAll(/^\| `CERISE_LIMIT_.*$/gm)].map(([row]) => row);
    const names = Object.keys(limitSpecs) as LimitName[];
    const expected = names.map((name) => {
      const { unit, usual, about } = limitSpecs[name];
      return `| \`${variableOf(name)}\` | ${inWords(usual, unit)} | ${about} |`;
    });
    expect(rows).toEqual(expected);
  });
});
