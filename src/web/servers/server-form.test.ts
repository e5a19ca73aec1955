import { describe, expect, it } from 'vitest';
import { changesLaunch, changesOf, configOf, formFor, formOf } from './server-form.ts';

const config = {
  type: 'stdio' as const,
  name: 's',
  command: 'npx',
  args: ['a b', '--flag'],
  env: { A: '•••', B: '•••' },
};

describe('the form of a server', () => {
  it('changes nothing unless something is typed, even where its lines cannot show it', () => {
    for (const args of [['a'], ['two\nlines', ' blank ', '']]) {
      const form = formOf({ ...config, args });
      expect(changesOf(form, { ...form })).toEqual({});
    }
  });

  it('leaves stored values alone and sends new ones', () => {
    const form = formOf(config);
    const [first, second] = form.env;
    if (!first || !second) throw new Error('two rows were to be there');
    const env = [first, { ...second, value: 'new', stored: false }];
    const changes = changesOf(form, { ...form, env });
    expect(changes).toEqual({ env: { A: '•••', B: 'new' } });
    expect(changesLaunch(changes)).toBe(true);
    expect(changesOf(form, { ...form, env: [first] })).toEqual({ env: { A: '•••' } });
  });

  it('asks for no new approval for a name or a time', () => {
    const form = formOf(config);
    const changes = changesOf(form, { ...form, name: 'other', timeout: '5' });
    expect(changes).toEqual({ name: 'other', timeout: 5 });
    expect(changesLaunch(changes)).toBe(false);
  });

  it('offers commands and sharing to admins alone', () => {
    expect(formFor(false).type).toBe('streamableHttp');
    expect(configOf(formFor(false))).not.toHaveProperty('shared');
    expect(configOf(formFor(true))).toMatchObject({ type: 'stdio', shared: true });
    const form = formOf(config, true);
    expect(changesOf(form, { ...form, shared: false })).toEqual({ shared: false });
    expect(changesLaunch({ shared: false })).toBe(false);
  });

  it('makes a server of what was typed', () => {
    const env = [{ key: '1', name: ' A ', value: ' x ', stored: false }];
    const form = { ...formFor(true), name: ' s ', command: ' npx ', args: 'a b\n\n--flag\n', env };
    expect(configOf(form)).toMatchObject({
      type: 'stdio',
      name: 's',
      command: 'npx',
      args: ['a b', '--flag'],
      env: { A: ' x ' },
    });
  });
});
