import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, type Host } from '#chat/host/host.ts';
import { createApp } from '#server/app.ts';
import { authorizationQuerySchema } from '#shared/api/people-api.ts';
import { listen } from '../fakes/loopback.ts';
import { silentLogger } from '../fakes/mcp-servers.ts';
import { realServer } from '../real-servers.ts';
import { readChecks } from './server-suite.ts';
import { type PartOutcome, run, suiteVersion } from './suite.ts';

/** How many scenarios for authorization servers the suite has. */
export const authorizationScenarios = 2;

const visitor = {
  owner: 'local',
  role: 'admin' as const,
  credential: { kind: 'token' as const, id: 'conformance' },
};

/** Runs the scenarios for authorization servers against a host, whose admin allows whatever is asked. */
export async function runAuthorizationPart(): Promise<PartOutcome | undefined> {
  const script = await realServer('@modelcontextprotocol/conformance', suiteVersion);
  if (script === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'cerise-conformance-'));
  const host = await createHost({ home: join(folder, 'home'), logger: silentLogger });
  let ownHost = '';
  const app = createApp(host, { allowedHosts: () => new Set([ownHost]) });
  const server = await listen((request) => app.fetch(request));
  ownHost = new URL(server.url).host;
  try {
    const results = join(folder, 'results');
    const port = await freePort();
    const id = await registerCallback(server.url, port);
    const about = ['--url', server.url, '--client-id', id, '--resource', `${server.url}/mcp`];
    const args = [script, 'authorization', ...about, '--port', String(port), '-o', results];
    const callback = Promise.withResolvers<void>();
    await run(args, {}, (line) => {
      if (line.startsWith('Callback server started')) callback.resolve();
      if (!line.startsWith(`${server.url}/`)) return;
      void callback.promise.then(() => allow(host, new URL(line)));
    });
    const scenarios = await readChecks(results);
    return { scenarios, required: scenarios.length };
  } finally {
    await server.close();
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Does what a person and their browser do. */
async function allow(host: Host, { host: ownHost, origin, searchParams }: URL): Promise<void> {
  const query = authorizationQuerySchema.parse(Object.fromEntries(searchParams));
  const request = await host.consents.read(query, { hosts: new Set([ownHost]) });
  await fetch(await host.consents.decide(visitor, request, { decision: 'allow', issuer: origin }));
}

async function registerCallback(url: string, port: number): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      token_endpoint_auth_method: 'none',
    }),
  });
  return ((await response.json()) as { client_id: string }).client_id;
}

async function freePort(): Promise<number> {
  const server = await listen(() => new Response());
  await server.close();
  return Number(new URL(server.url).port);
}
