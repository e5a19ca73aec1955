import { expect, it } from 'vitest';
import { installHint } from './start-error.ts';

it.each([
  ['cd', 'command-shell'],
  ['FOO=bar node server.js', 'command-shell'],
  ['"node"', 'command-quoted'],
  ['/srv/~/bin/server', 'command-home'],
  ['/srv/https:/example.com/mcp', 'command-url'],
  ['npx', 'install-node'],
  ['/usr/bin/server', 'check-path'],
  ['acme', 'install-program'],
])('says what is wrong with %s', (command, id) => {
  expect(installHint(command).id).toBe(id);
});

it.skipIf(process.platform === 'win32')('knows the shells of Windows', () => {
  for (const command of ['cmd', 'powershell.exe', 'wsl.exe'])
    expect(installHint(command).id).toBe('command-windows');
});
