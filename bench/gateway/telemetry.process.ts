import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, type Host } from '#chat/host/host.ts';
import { silentLogger } from '#shared/vocabulary/ports.ts';
import { ask } from '../../test/host.ts';

/** Prints the CPU of a turn with a tool call, and of a call outside of any, with metrics and traces or without. */
const [, , contestant = ''] = process.argv;
const owner = 'local';
const turns = 300;
const calls = 2000;

/** A collector whose work is not ours. */
const collector = `require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
process.stdin.resume().on('end', () => process.exit());`;

async function startCollector(): Promise<string> {
  const child = spawn(process.execPath, ['-e', collector], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return `http://127.0.0.1:${String(port).trim()}/v1/traces`;
}

async function telemetry() {
  if (contestant !== 'on') return {};
  const traces = { url: await startCollector(), content: false, ratio: 1 };
  return { metricsKey: 'the key of a benchmark', traces };
}

async function turn(host: Host): Promise<void> {
  const { id } = await host.topics.create(owner, { model: 'demo/scripted', title: 'T' });
  await ask(host, id, 'What is 6*7?');
}

async function measure(count: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let at = 0; at < count; at += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const home = mkdtempSync(join(tmpdir(), 'cerise-bench-'));
const host = await createHost({ home, logger: silentLogger, demoPace: 0, ...(await telemetry()) });
const call = () => host.callTool(owner, 'calculator', 'calculate', { expression: '6*7' });
await measure(turns, () => turn(host));
await measure(calls, call);
const results = { turn: await measure(turns, () => turn(host)), call: await measure(calls, call) };
await host.close();
rmSync(home, { recursive: true, force: true });
console.log(JSON.stringify(results));
process.exit(0);
