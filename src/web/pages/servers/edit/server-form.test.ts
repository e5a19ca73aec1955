import { describe, expect, it } from 'vitest';
import {
  changesIn,
  changesLaunch,
  changesOf,
  configOf,
  formFor,
  formOf,
  namedFolders,
  widensAccess,
  withFix,
} from './server-form.ts';

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

  it('shows every field that a server can have, and takes each away again', () => {
    const whole = {
      ...config,
      secrets: { KEY: '•••' },
      description: 'Reads',
      tags: ['a', 'b c'],
      roots: ['/srv/x'],
      registryUrl: 'https://npm.example',
      longRunning: true,
      timeout: 30,
      totalTimeout: 900,
      startTimeout: 60,
    };
    const form = formOf(whole);
    expect(changesOf(form, { ...form })).toEqual({});
    expect(configOf(form)).toMatchObject(whole);
    const emptied = {
      ...form,
      secrets: [],
      description: ' ',
      tags: ' , ',
      roots: '',
      registryUrl: '',
      longRunning: false,
      timeout: '',
      startTimeout: '',
    };
    expect(changesIn(whole, form, emptied)).toEqual({
      secrets: null,
      description: null,
      tags: null,
      roots: null,
      registryUrl: null,
      longRunning: null,
      timeout: null,
      totalTimeout: null,
      startTimeout: null,
    });
  });

  it('opens with a secret that is missing, for its value to be filled in', () => {
    const form = withFix(formOf(config), { kind: 'secret', name: 'KEY' });
    expect(form.secrets).toMatchObject([{ name: 'KEY', value: '', stored: false }]);
    expect(changesLaunch(changesOf(formOf(config), form))).toBe(true);
  });

  it('opens with the network allowed where a server needs it, which asks for an approval', () => {
    const before = formOf({ ...config, access: { files: 'own', network: false } });
    const form = withFix(before, { kind: 'network' });
    expect(configOf(form)).toMatchObject({ access: { files: 'own', network: true } });
    expect(widensAccess(before, form)).toBe(true);
  });

  it('changes a variable among those that are there by now', () => {
    const form = formOf(config);
    const [first] = form.env;
    if (!first) throw new Error('a row was to be there');
    const added = { key: 'k', name: 'C', value: 'new', stored: false };
    const present = { ...config, env: { A: '•••', B: '•••', D: '•••' } };
    const after = { ...form, env: [first, added] };
    expect(changesIn(present, form, after)).toEqual({ env: { A: '•••', C: 'new', D: '•••' } });
    const less = { ...config, env: { B: '•••' } };
    expect(changesIn(less, form, after)).toEqual({ env: { C: 'new' } });
    expect(changesIn(less, form, { ...form, name: 'n' })).toEqual({ name: 'n' });
  });

  it('asks for no new approval for a name or a time', () => {
    const form = formOf(config);
    const changes = changesOf(form, { ...form, name: 'other', timeout: '5' });
    expect(changes).toEqual({ name: 'other', timeout: 5 });
    expect(changesLaunch(changes)).toBe(false);
  });

  it('says nothing of full access, and what less there is', () => {
    const form = { ...formFor(true), name: 's', command: 'npx', args: '-y\n/home/me/notes' };
    expect(configOf(form)).toMatchObject({ access: null });
    expect(configOf({ ...form, network: false })).toMatchObject({
      access: { files: 'everything', network: false },
    });
    const folders = namedFolders(form);
    expect(folders).toMatchObject([{ path: '/home/me/notes', write: false }]);
    const chosen = { files: { folders: [{ path: '/home/me/notes' }] }, network: true };
    expect(configOf({ ...form, files: 'folders', folders })).toMatchObject({ access: chosen });
    const blank = [{ key: '1', path: ' ', write: true }];
    expect(configOf({ ...form, files: 'folders', folders: blank })).toMatchObject({
      access: { files: 'own', network: true },
    });
    for (const access of [chosen, { files: 'own' as const, network: false }]) {
      const there = formOf({ ...config, access });
      expect(changesOf(there, { ...there })).toEqual({});
      expect(configOf(there)).toMatchObject({ access });
      expect(changesOf(there, formOf(config))).toEqual({ access: null });
    }
  });

  it('asks for a new approval for more access only', () => {
    const [full, own] = [
      formOf(config),
      formOf({ ...config, access: { files: 'own', network: true } }),
    ];
    expect(changesLaunch(changesOf(full, own))).toBe(false);
    expect([widensAccess(full, own), widensAccess(own, full)]).toEqual([false, true]);
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

  it('makes the change that would fix a server, and leaves what is there', () => {
    const form = formOf({ ...config, args: ['-y', 'x@9'], env: { A: '•••' } });
    const names = (kind: 'A' | 'B') =>
      withFix(form, { kind: 'variable', name: kind }).env.map(({ name }) => name);
    expect(names('B')).toEqual(['A', 'B']);
    expect(names('A')).toEqual(['A']);
    const fixed = withFix(form, { kind: 'argument', from: 'x@9', to: 'x' });
    expect(changesOf(form, fixed)).toEqual({ args: ['-y', 'x'] });
  });
});
