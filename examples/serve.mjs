import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Starts `cerise serve` with data of its own, so that the example needs no running host. */
export async function startCerise() {
  const home = await mkdtemp(join(tmpdir(), 'cerise-example-'));
  const token = crypto.randomUUID();
  const settings = { CERISE_HOME: home, CERISE_PORT: '0', CERISE_TOKEN: token };
  const program = createRequire(import.meta.url).resolve('cerise/package.json');
  const child = spawn(process.execPath, [join(program, '../bin/cerise.cjs'), 'serve'], {
    env: { ...process.env, ...settings, CERISE_DEMO_PACE: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const [baseUrl] = /http:\S+/.exec(line);
  const stop = async () => {
    child.kill();
    await ended;
    await rm(home, { recursive: true });
  };
  return { baseUrl, token, stop };
}
