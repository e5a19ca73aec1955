import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { withAccess, withProposedAccess } from './proposed-access.ts';

const config = (more: Partial<StdioConfig> = {}): StdioConfig => ({
  type: 'stdio',
  name: 's',
  command: 'npx',
  args: ['-y', 'a-server'],
  env: {},
  ...more,
});
const accessOf = (values: string[], network?: boolean) =>
  (withProposedAccess(config(), { values, network }) as StdioConfig).access;

function place(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cerise-')));
  mkdirSync(join(folder, 'notes'));
  writeFileSync(join(folder, 'notes', 'a.db'), '');
  symlinkSync(join(folder, 'notes'), join(folder, 'link'));
  return folder;
}

it('is its own folder, and what somebody named: the folder of a file, and where a link leads', () => {
  const folder = place();
  const notes = { files: { folders: [{ path: join(folder, 'notes'), write: true }] } };
  expect(accessOf([])).toEqual({ files: 'own', network: true });
  expect(accessOf(['relative/path', 'words', '/no-such-place'], false)).toEqual({
    files: 'own',
    network: false,
  });
  for (const name of ['notes', 'notes/a.db', 'notes/new.db', 'link'])
    expect(accessOf([join(folder, name)])).toEqual({ ...notes, network: true });
});

it('is no folder that holds much else, unless somebody named that folder itself', () => {
  const home = place();
  vi.stubEnv('HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  writeFileSync(join(home, 'here.db'), '');
  const own = { files: 'own', network: true };
  for (const path of [
    '/etc/hosts',
    '/tmp/not-there',
    join(home, 'here.db'),
    join(home, 'not-there'),
  ])
    expect(accessOf([path]), path).toEqual(own);
  const named = { files: { folders: [{ path: home, write: true }] }, network: true };
  expect(accessOf([home])).toEqual(named);
});

it('is full where less cannot be given or told', () => {
  for (const path of ['/', '/proc/self']) expect(accessOf([path])).toBeUndefined();
  for (const command of ['uvx', 'docker'])
    expect(withProposedAccess(config({ command }), { values: [] })).toEqual(config({ command }));
  const chosen = config({ access: { files: 'everything', network: false } });
  expect(withProposedAccess(chosen, { values: [] })).toBe(chosen);
});

it('is full for a program that only looks for the real one, as pyenv and Volta have them', () => {
  const folder = place();
  const shims = join(folder, 'shims');
  mkdirSync(shims);
  writeFileSync(join(shims, 'some-python'), '#!/bin/sh\nexec other\n');
  writeFileSync(join(shims, 'volta-shim'), 'ELF');
  symlinkSync(join(shims, 'volta-shim'), join(shims, 'some-node'));
  writeFileSync(join(shims, 'some-tool'), 'ELF');
  for (const name of ['some-python', 'volta-shim', 'some-tool'])
    chmodSync(join(shims, name), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${shims}${delimiter}${before}`;
  onTestFinished(() => {
    process.env.PATH = before;
  });
  const given = (name: string) => withAccess(config(), name, { values: [] }).access;
  expect(given('some-python')).toBeUndefined();
  expect(given('some-node')).toBeUndefined();
  expect(given('some-tool')).toEqual({ files: 'own', network: true });
  expect(given('not-here')).toEqual({ files: 'own', network: true });
});
