import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import {
  cpuOf,
  peakMemoryOf,
  type Running,
  start,
  startCerise,
  temporaryFolder,
} from '../processes.ts';

type Started = Running & { url: string };

/** The least a server process can be. */
async function startFloor(): Promise<Started> {
  const server = start(new URL('bare-server.process.ts', import.meta.url));
  const ready = await server.line(/ready at (\S+)/);
  return { ...server, url: ready[1] ?? '' };
}

async function firstByte(url: string): Promise<void> {
  const request = get(`${url}/healthz`);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`/healthz answered ${response.statusCode}`);
  await once(response, 'data');
  response.destroy();
}

async function measure(startServer: () => Promise<Started>) {
  const began = performance.now();
  await using server = await startServer();
  await firstByte(server.url);
  const wallMs = performance.now() - began;
  return { wallMs, cpuMs: cpuOf(server.pid) / 1000, peakMb: peakMemoryOf(server.pid) };
}

async function measureCerise() {
  using home = temporaryFolder();
  const startServer = () => startCerise(home.path);
  await measure(startServer);
  return await measure(startServer);
}

const measured = process.argv[2] === 'cerise' ? await measureCerise() : await measure(startFloor);
console.log(JSON.stringify(measured));
