import { describe, expect, it } from 'vitest';
import { readServerInput } from '#shared/api/server-input.ts';
import { restoreSecrets, withoutSecrets } from './server-secrets.ts';

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

  it('shows what a variable or a header refers to, and nothing beside it', () => {
    const env = {
      A: '${env:HOST_TOKEN}',
      B: 'canary ${secret:KEY}',
      C: '${NAME:-canary}',
      D: '$${X}',
    };
    expect(withoutSecrets(readServerInput({ ...stdio, env }))).toMatchObject({
      env: { A: '${env:HOST_TOKEN}', B: '•••${secret:KEY}', C: '${NAME:-•••}', D: '•••' },
    });
    const headers = { Authorization: 'Bearer ${GITHUB_TOKEN} canary', Plain: 'canary' };
    const remote = { name: 'far', type: 'streamableHttp', baseUrl: 'https://mcp.test/', headers };
    expect(withoutSecrets(readServerInput(remote))).toMatchObject({
      headers: { Authorization: '•••${GITHUB_TOKEN}•••', Plain: '•••' },
    });
  });
});

describe('restoreSecrets', () => {
  it('takes what comes back as it was shown for unchanged', () => {
    const headers = { Authorization: 'Bearer ${TOKEN}', Other: '${A}' };
    const present = readServerInput({ name: 'far', url: 'https://mcp.test/', headers });
    const view = withoutSecrets(present) as { headers: Record<string, string> };
    expect(restoreSecrets(view, present)).toMatchObject({ headers });
    const changed = { headers: { ...view.headers, Other: '${B}' } };
    expect(restoreSecrets(changed, present)).toMatchObject({
      headers: { ...headers, Other: '${B}' },
    });
  });
});
