import { describe, expect, it } from 'vitest';
import { readImportedServer } from './imported-server.ts';

describe('a server out of a file or a link', () => {
  it('T83 refers to no variable of the host where nobody sees it', () => {
    const env = { A: 'x ${env:KEY}', B: '${KEY:-y}', C: '$${KEY}', D: '${secret:OWN}' };
    const literal = { A: 'x $${env:KEY}', B: '$${KEY:-y}', C: '$${KEY}', D: '${secret:OWN}' };
    const secrets = { OWN: 'a${b}' };
    const local = { name: 's', type: 'stdio', command: 'run', args: ['${KEY}'], env, secrets };
    expect(readImportedServer(local).config).toMatchObject({
      args: ['${KEY}'],
      env: literal,
      secrets,
    });
    const remote = { name: 's', url: 'https://a.test/${KEY}?key=x${env:KEY}', headers: env };
    expect(readImportedServer(remote).config).toMatchObject({
      baseUrl: 'https://a.test/${KEY}?key=x$${env:KEY}',
      headers: literal,
    });
  });

  it('keeps an access that names no folder, and tells of one that does', () => {
    const local = { name: 's', type: 'stdio', command: 'run', args: [] };
    const own = { files: 'own', network: false };
    expect(readImportedServer({ ...local, access: own })).toMatchObject({
      config: { access: own },
      leftOut: [],
    });
    const folders = { files: { folders: [{ path: '/srv', write: true }] }, network: false };
    for (const access of [folders, { files: 'own' }, 'own', { ...own, more: 1 }]) {
      const { config, leftOut } = readImportedServer({ ...local, access });
      expect([config, leftOut]).toEqual([expect.not.objectContaining({ access }), ['access']]);
    }
    const remote = { name: 's', url: 'https://a.test', access: own };
    expect(readImportedServer(remote).leftOut).toEqual(['access']);
  });
});
