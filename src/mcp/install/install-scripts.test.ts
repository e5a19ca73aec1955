// Starts processes.
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LogRing } from '../process/log-ring.ts';
import { McpProcessTracker } from '../process/process-tracker.ts';
import { runInstallScripts } from './install-scripts.ts';

it('says whose scripts run, since compiling them takes minutes and prints nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cerise-'));
  mkdirSync(join(folder, 'node_modules'));
  const packages = {
    'node_modules/plain': {},
    'node_modules/native': { hasInstallScript: true },
    'node_modules/a/node_modules/@scope/other': { hasInstallScript: true },
  };
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\nexit 0\n');
  chmodSync(join(folder, 'npm'), 0o755);
  const told: string[] = [];
  const env = { PATH: `${folder}:${process.env['PATH']}` };
  await runInstallScripts(
    folder,
    { type: 'stdio', name: 's', command: 'npx', args: [], env },
    {
      tracker: new McpProcessTracker(),
      log: new LogRing(4096),
      signal: new AbortController().signal,
      silenceMs: 60_000,
      onProgress: (text) => told.push(text),
    },
  );
  expect(told).toEqual(['Running the install scripts of native, @scope/other']);
});
