import { describe, expect, it } from 'vitest';
import { expandLaunch, type VariableLookup } from './bundle-variables.ts';

const known: Record<string, string | string[] | null> = {
  __dirname: '/b',
  HOME: '/home/me',
  'user_config.tricky': '${HOME} $& $1 $$ ${user_config.list}',
  'user_config.list': ['/a b', '${HOME}', ''],
  'user_config.none': null,
  'user_config.empty': [],
};
const lookup: VariableLookup = (name) => known[name];
const args = (...words: string[]) =>
  expandLaunch({ command: 'node', args: words, env: {} }, lookup, ':').args;

describe('the variables of a launch', () => {
  it('are filled in once: a value is never expanded again', () => {
    expect(args('${__dirname}/x', '${user_config.tricky}', '${${HOME}}')).toEqual([
      '/b/x',
      '${HOME} $& $1 $$ ${user_config.list}',
      '${/home/me}',
    ]);
  });

  it('that are lists become several arguments, and one text in a variable', () => {
    expect(args('${user_config.list}', '--in=${user_config.list}')).toEqual([
      '/a b',
      '${HOME}',
      '',
      '--in=/a b',
      '--in=${HOME}',
      '--in=',
    ]);
    const env = { LIST: '${user_config.list}', HOME_OF: '${HOME}' };
    expect(expandLaunch({ command: 'x', args: [], env }, lookup, ':').env).toEqual({
      LIST: '/a b:${HOME}:',
      HOME_OF: '/home/me',
    });
  });

  it('that are unset are removed, with the option in front of them', () => {
    expect(
      args('-v', '${user_config.none}', '--key', '${user_config.none}', '--x=${user_config.none}'),
    ).toEqual(['-v']);
    expect(args('${user_config.empty}', 'last')).toEqual(['last']);
    const env = { KEY: 'a${user_config.none}', OTHER: 'b' };
    const launch = expandLaunch(
      { command: '${__dirname}/run', args: [], env, cwd: '${__dirname}' },
      lookup,
      ':',
    );
    expect(launch).toEqual({ command: '/b/run', args: [], env: { OTHER: 'b' }, cwd: '/b' });
  });

  it('that nobody knows stay as they are', () => {
    expect(args('${OTHER}', '$HOME', '${', '${}')).toEqual(['${OTHER}', '$HOME', '${', '${}']);
  });
});
