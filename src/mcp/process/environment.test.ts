import { describe, expect, it } from 'vitest';
import { childEnvironment } from './environment.ts';

const host = {
  PATH: '/bin',
  HOME: '/home/me',
  LC_ALL: 'C',
  CERISE_TOKEN: 'secret',
  AWS_SECRET_ACCESS_KEY: 'secret',
  NODE_OPTIONS: '--inspect',
  npm_config_token: 'secret',
  SHELL: '() { :; }; echo pwned',
};

describe('childEnvironment', () => {
  it('passes the allow-list and the own values of the server, nothing else', () => {
    const env = { KEY: 'mine', PATH: '/own/bin' };
    expect(childEnvironment({ command: 'node', env }, host)).toEqual({
      PATH: '/own/bin',
      HOME: '/home/me',
      LC_ALL: 'C',
      KEY: 'mine',
    });
  });

  it('points npx and uvx to the registry of the config', () => {
    const registryUrl = 'https://mirror.test/';
    expect(childEnvironment({ command: 'npx', env: {}, registryUrl }, {})).toEqual({
      npm_config_registry: registryUrl,
    });
    expect(childEnvironment({ command: '/usr/bin/uvx', env: {}, registryUrl }, {})).toMatchObject({
      UV_DEFAULT_INDEX: registryUrl,
    });
  });
});
