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

  it.each([
    ['npx', ['npm_config_registry', 'pnpm_config_registry', 'BUN_CONFIG_REGISTRY']],
    ['/opt/bun/bin/bunx', ['BUN_CONFIG_REGISTRY', 'npm_config_registry']],
    ['pnpm', ['npm_config_registry', 'pnpm_config_registry']],
    ['/usr/bin/uvx', ['UV_DEFAULT_INDEX', 'UV_INDEX_URL', 'PIP_INDEX_URL']],
    ['python3', ['PIP_INDEX_URL']],
    ['pipx', ['PIP_INDEX_URL']],
  ])('points %s to the registry of the config', (command, names) => {
    const registryUrl = 'https://mirror.test/';
    const environment = childEnvironment({ command, env: {}, registryUrl }, {});
    for (const name of names) expect(environment).toHaveProperty(name, registryUrl);
    expect('UV_DEFAULT_INDEX' in environment).toBe(!('npm_config_registry' in environment));
  });
});
