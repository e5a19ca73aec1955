import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogRing } from '#mcp/process/log-ring.ts';
import { McpProcessTracker } from '#mcp/process/process-tracker.ts';
import { Sandbox } from '#mcp/process/sandbox.ts';
import { startProcess } from '#mcp/process/start-process.ts';
import type { ServerAccess } from '#shared/vocabulary/server-access.ts';
import type { Fact } from '../bench.ts';
import { median } from '../statistics.ts';

const rounds = 40;
const widest: ServerAccess = { files: 'everything', network: true };
const narrowest: ServerAccess = { files: 'own', network: false };

/** How much later the first output of a confined process comes; none where nothing can be confined. */
export async function measureSandbox(): Promise<Fact[]> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'cerise-bench-'));
  const sandbox = new Sandbox({ dataFolder });
  try {
    if ('reason' in (await sandbox.state())) return [];
    const own = join(dataFolder, 'own');
    const later: Record<'widest' | 'narrowest', number[]> = { widest: [], narrowest: [] };
    for (let round = 0; round < rounds; round += 1) {
      const bare = await firstOutputMs(undefined);
      later.widest.push((await firstOutputMs({ sandbox, own, access: widest })) - bare);
      later.narrowest.push((await firstOutputMs({ sandbox, own, access: narrowest })) - bare);
    }
    return Object.entries(later).map(([kind, values]) => ({
      what: `start of a local server in the sandbox, ${kind} access: more`,
      unit: 'ms',
      value: median(values),
      aim: 30,
    }));
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

type Place = { sandbox: Sandbox; own: string; access: ServerAccess } | undefined;

async function firstOutputMs(place: Place): Promise<number> {
  const config = { type: 'stdio', name: 'bench', command: '/bin/echo', args: ['hi'] } as const;
  const started = performance.now();
  const child = await startProcess(
    { ...config, args: [...config.args], env: {} },
    { tracker: new McpProcessTracker(), log: new LogRing(64 * 1024), place },
  );
  await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  const time = performance.now() - started;
  await child.exited;
  await child.close();
  return time;
}
