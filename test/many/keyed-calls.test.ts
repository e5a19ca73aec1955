import { setTimeout } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { processToken } from '../fixtures/running-command.ts';
import { type Cluster, startCluster } from './cluster.ts';

/** `CERISE_MANY_CALLS=1000 CERISE_MANY_RESTARTS=40` is the full measure. */
const calls = Number(process.env['CERISE_MANY_CALLS'] ?? 16);
const restarts = Number(process.env['CERISE_MANY_RESTARTS'] ?? 2);
const postgresUrl = inject('postgresUrl');
const atOnce = 12;
/** Milliseconds: longer than a host that is told twice to end lets a call run. */
const toolTime = 400;

interface Asked {
  status: number;
  body: {
    toolCallId?: string;
    error?: { code: string; message: string; details?: { reach?: string; toolCallId?: string } };
  };
}

/** What a key came to: it was done, or nobody can know whether it was. */
interface Outcome extends Asked {
  key: string;
  isDone: boolean;
  tries: number;
}

async function ask(cluster: Cluster, n: number, path: string, key: string): Promise<Asked> {
  const { server } = cluster.instances[n % 2] ?? cluster.instances[0];
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${processToken}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ arguments: { key } }),
  });
  return { status: response.status, body: (await response.json()) as Asked['body'] };
}

/** Repeats a request with its key, on one instance after the other, until it has an outcome. */
async function untilKnown(cluster: Cluster, path: string, n: number): Promise<Outcome> {
  const key = `k${n}`;
  for (let tries = 1; ; tries += 1) {
    const asked = await ask(cluster, n + tries, path, key).catch(() => undefined);
    if (asked?.status === 200) return { ...asked, key, isDone: true, tries };
    const reach = asked?.body.error?.details?.reach;
    if (asked && (reach === 'left' || reach === 'ended'))
      return { ...asked, key, isDone: false, tries };
    if (tries > 400) throw new Error(`${key}: ${JSON.stringify(asked)}`);
    await setTimeout(50);
  }
}

/**
 * Restarts one instance after the other, each while a part of the calls runs; half of them are told
 * twice to end, and end at once. Opens the gate of the next part first.
 */
async function roll(cluster: Cluster, open: (part: number) => void): Promise<unknown[]> {
  const codes: unknown[] = [];
  for (let n = 0; n < restarts; n += 1) {
    const before = cluster.ranTools().length;
    open(n);
    await expect
      .poll(() => cluster.ranTools().length, { interval: 5, timeout: 60_000 })
      .toBeGreaterThan(before);
    const instance = cluster.instances[n % 2] ?? cluster.instances[0];
    const { server } = instance;
    server.child.kill('SIGTERM');
    if (n % 4 === 1 || n % 4 === 2) {
      await server.says(/Shutting down/).catch(() => undefined);
      server.child.kill('SIGTERM');
    }
    codes.push(await server.ended);
    // Whoever asks its old port in vain may meet itself there.
    await instance.restart('any port');
  }
  return codes;
}

describe.skipIf(postgresUrl === null)('T76: calls with keys through rolling restarts', () => {
  it(
    'are made once each, and none that was acknowledged is lost',
    async () => {
      const cluster = await startCluster(postgresUrl ?? '', toolTime);
      const { servers } = await cluster.json<{ servers: { id: string; name: string }[] }>(
        'GET',
        '/api/servers',
      );
      const id = servers.find(({ name }) => name === 'notes')?.id ?? '';
      const path = `/api/servers/${id}/tools/append/call`;
      const gates = Array.from({ length: restarts }, () => Promise.withResolvers<void>());
      const outcomes: Outcome[] = [];
      let next = 0;
      const work = async () => {
        for (let n = next++; n < calls; n = next++) {
          await gates[Math.floor((n * restarts) / calls)]?.promise;
          outcomes.push(await untilKnown(cluster, path, n));
        }
      };
      const working = Promise.all(Array.from({ length: atOnce }, work));
      const codes = await roll(cluster, (part) => gates[part]?.resolve());
      await working;
      const lines = cluster.ranTools();
      // The same keys once more, on either instance: nothing runs again, and the outcome is the first one.
      const different: unknown[] = [];
      for (const [n, { key, status, body }] of outcomes.entries())
        for (const instance of [n, n + 1]) {
          const again = await ask(cluster, instance, path, key);
          if (again.status !== status || JSON.stringify(again.body) !== JSON.stringify(body))
            different.push([key, { status, body }, again]);
        }
      const done = outcomes.filter(({ isDone }) => isDone).map(({ key }) => key);
      const figures = {
        calls,
        restarts: codes.length,
        codes: Object.fromEntries(
          Map.groupBy(codes, String)
            .entries()
            .map(([c, all]) => [c, all.length]),
        ),
        acknowledged: done.length,
        left: outcomes.length - done.length,
        leftAndRan: outcomes.filter(({ isDone, key }) => !isDone && lines.includes(key)).length,
        repeatedRequests: outcomes.filter(({ tries }) => tries > 1).length,
        lines: lines.length,
        twice: lines.filter((line, n) => lines.indexOf(line) !== n),
        lost: done.filter((key) => !lines.includes(key)),
        ranLater: cluster.ranTools().length - lines.length,
      };
      if (process.env['CERISE_MANY_CALLS'])
        process.stderr.write(`keyed calls: ${JSON.stringify(figures)}\n`);
      expect(figures).toMatchObject({ twice: [], lost: [], ranLater: 0 });
      expect(outcomes).toHaveLength(calls);
      expect(different).toEqual([]);
    },
    Math.max(120_000, restarts * 40_000),
  );
});
