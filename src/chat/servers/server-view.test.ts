import { expect, it } from 'vitest';
import { readServerInput } from '#shared/api/server-input.ts';
import { assertSecretsStay } from './server-move.ts';
import { restoreSecrets, withoutSecrets } from './server-secrets.ts';
import { toServerView } from './server-view.ts';

it('shows what an installer writes only to people who manage the server', () => {
  const config = readServerInput({ name: 's', command: 'npx', args: ['x'] });
  const record = { id: 's', owner: 'ann', config, shared: true, createdAt: 1, updatedAt: 1 };
  const status = { state: 'installing', since: 1, output: 'GET https://me:pw@npm.test/x' } as const;
  expect(toServerView(record, status, 'hash', false).output).toBe(status.output);
  expect(toServerView(record, status, 'hash', true)).not.toHaveProperty('output');
});

it('sends no header to another host that came back only as it was shown', () => {
  const headers = { Authorization: 'Bearer canary ${TOKEN}' };
  const before = readServerInput({ name: 's', url: 'https://one.test/mcp', headers });
  const shown = withoutSecrets(before) as { headers: Record<string, string> };
  const change = { baseUrl: 'https://two.test/mcp', headers: shown.headers };
  const after = readServerInput(restoreSecrets({ ...before, ...change }, before));
  expect(() => assertSecretsStay(before, after, change)).toThrow('headers.Authorization');
});
