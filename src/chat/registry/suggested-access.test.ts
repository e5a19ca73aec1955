import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StdioConfig } from '#shared/vocabulary/server.ts';
import { withSuggestedAccess } from './suggested-access.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cerise-')));
const accessOf = (args: string[], more: Partial<StdioConfig> = {}) => {
  const config = { type: 'stdio', name: 'x', command: 'npx', args, env: {}, ...more } as const;
  return (withSuggestedAccess(config) as StdioConfig).access;
};
const filesystem = '@modelcontextprotocol/server-filesystem';

describe('stumble: a command of a package that Cerise suggests', () => {
  it('has the access of the suggestion, whatever version it names', () => {
    for (const version of ['', '@latest', '@1.0.0']) {
      const args = ['-y', `@modelcontextprotocol/server-everything${version}`];
      expect(accessOf(args)).toEqual({ files: 'own', network: false });
    }
    expect(accessOf(['@modelcontextprotocol/server-pdf', '--stdio'])).toEqual({
      files: 'own',
      network: true,
    });
  });

  it('has the folders that it names', () => {
    const files = { folders: [{ path: folder, write: true }] };
    expect(accessOf(['-y', filesystem, folder])).toEqual({ files, network: false });
    const env = { MEMORY_FILE_PATH: join(folder, 'memory.json') };
    const memory = accessOf(['@modelcontextprotocol/server-memory'], { env });
    expect(memory).toEqual({ files, network: false });
  });

  it('stays as it is where it would not reach what it names', () => {
    for (const path of ['/', 'docs/notes', '~/docs', `--folder=${folder}`, '/no-such-folder/x/y'])
      expect([path, accessOf(['-y', filesystem, path])]).toEqual([path, undefined]);
    expect(accessOf(['-y', filesystem, folder], { cwd: folder })).toBeUndefined();
  });

  it('stays as it is for other packages, and for those that need everything', () => {
    for (const args of [['-y', 'some-server'], ['@playwright/mcp'], ['-p', filesystem, 'other']])
      expect(accessOf(args)).toBeUndefined();
    expect(accessOf([filesystem], { command: 'uvx' })).toBeUndefined();
  });

  it('keeps the access that it brings', () => {
    const access = { files: 'everything', network: true } as const;
    expect(accessOf(['-y', filesystem, folder], { access })).toBe(access);
  });
});
