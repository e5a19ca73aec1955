import { describe, expect, it } from 'vitest';
import { readServerInput } from '#shared/api/server-input.ts';
import { withoutSecrets } from './server-secrets.ts';

const stdio = { name: 'local', type: 'stdio', command: 'npx', args: ['good@1.0.0'] };

describe('withoutSecrets', () => {
  it('T84: shows the variables that are part of what is run, and no others', () => {
    const shown = (env: Record<string, string>): unknown =>
      (withoutSecrets(readServerInput({ ...stdio, env })) as { env: unknown }).env;
    const loads = {
      NODE_OPTIONS: '--import data:text/javascript,steal()',
      LD_PRELOAD: '/tmp/evil.so',
      PATH: '/tmp/evil:/bin',
      npm_config_registry: 'https://evil.example/',
      BASH_ENV: '/tmp/evil.sh',
    };
    expect(shown(loads)).toEqual(loads);
    const secrets = {
      TOKEN: 'canary',
      GITHUB_PATH_TOKEN: 'canary',
      UV_PUBLISH_TOKEN: 'canary',
      npm_config__auth: 'canary',
      PIP_INDEX_URL: 'https://me:canary@pip.example/',
    };
    expect(JSON.stringify(shown(secrets))).not.toContain('canary');
  });
});
