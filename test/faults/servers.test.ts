import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { McpService } from '#mcp/service/mcp-service.ts';
import { hostSays } from '../e2e/texts.ts';
import { approved, callTool, hostile, testService } from '../fakes/mcp-servers.ts';

const patience = { timeout: 20_000 };

const open: McpService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

const memoryRoom = 150 * 1024 * 1024;

/** A service with the server under test and another that must not notice anything. */
async function serve(record = hostile()) {
  const service = testService();
  open.push(service);
  const witness = hostile({}, { name: 'witness' });
  await Promise.all([service.setServer(record), service.setServer(witness)]);
  await service.initClient(witness.id);
  const before = process.memoryUsage().rss;
  return {
    service,
    id: record.id,
    /** The host lives, the other server answers soon, memory is where it was. */
    unharmed: async () => {
      const options = { signal: AbortSignal.timeout(5000) };
      const { content } = await callTool(service, witness.id, 'echo', { still: 'here' }, options);
      expect(content).toEqual([{ type: 'text', text: '{"still":"here"}' }]);
      expect(process.memoryUsage().rss - before).toBeLessThan(memoryRoom);
    },
  };
}

function newFile(content = ''): string {
  const file = join(mkdtempSync(join(tmpdir(), 'cerise-')), 'file');
  writeFileSync(file, content);
  return file;
}

function starts(service: McpService, id: string): number {
  return service.logs(id).filter((line) => line.includes('started process')).length;
}

describe('T69 a server that cannot stay up', () => {
  it('is failed after five crashes, with its last words, and not started again', async () => {
    const { service, id, unharmed } = await serve(
      hostile({ exitAtStart: 1, stderr: 'no licence found' }),
    );
    for (let crash = 0; crash < 5; crash++) await expect(service.initClient(id)).rejects.toThrow();
    expect(service.status(id)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/5 times.*no licence found/),
    });
    const started = starts(service, id);
    await expect(callTool(service, id, 'echo')).rejects.toThrow('no licence found');
    await expect(service.listTools(id)).rejects.toThrow('no licence found');
    expect(starts(service, id)).toBe(started);
    await expect(service.restartServer(id)).rejects.toThrow();
    expect(starts(service, id)).toBeGreaterThan(started);
    expect(service.status(id).state).toBe('reconnecting');
    await unharmed();
  });

  it('comes back by itself when it can', async () => {
    const { service, id } = await serve();
    await service.initClient(id);
    await expect(callTool(service, id, 'die')).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(service.status(id)).toMatchObject({
      state: 'reconnecting',
      retryAt: expect.any(Number),
    });
    await vi.waitFor(() => expect(service.status(id).state).toBe('connected'), patience);
  });

  it('is not tried again when its command is missing or no program', async () => {
    const text = newFile('not a program');
    chmodSync(text, 0o600);
    for (const command of ['/no/such/program', text]) {
      const { service, id, unharmed } = await serve(approved({ type: 'stdio', command, args: [] }));
      await expect(service.initClient(id)).rejects.toMatchObject({ code: 'command_not_found' });
      expect(service.status(id)).toMatchObject({ state: 'failed' });
      expect(service.status(id).retryAt).toBeUndefined();
      await unharmed();
    }
  });
});

describe('T70 a child that goes silent', () => {
  it('costs nobody else anything when it never answers, and ends when it is told to', async () => {
    const { service, id, unharmed } = await serve(hostile({ silentOn: 'initialize' }));
    const connecting = expect(service.initClient(id)).rejects.toMatchObject({ code: 'cancelled' });
    await unharmed();
    await service.stopServer(id);
    await connecting;
  });

  it('fails what waits for it when it closes its output, and starts again', async () => {
    const { service, id, unharmed } = await serve();
    await expect(callTool(service, id, 'close-output')).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
    await unharmed();
    expect((await callTool(service, id, 'echo')).content).toHaveLength(1);
  });

  it('ends at the limit of its call when it is frozen, and can still be stopped', async () => {
    const { service, id, unharmed } = await serve(hostile({}, { timeout: 0.5 }));
    await service.initClient(id);
    const [{ pid } = { pid: 0 }] = (await service.diagnose(id)).processes;
    process.kill(pid, 'SIGSTOP');
    await expect(callTool(service, id, 'echo')).rejects.toMatchObject({ code: 'timed_out' });
    await unharmed();
    await service.stopServer(id);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), patience);
  });

  it('fails cleanly when it stops reading', async () => {
    const { service, id, unharmed } = await serve(hostile({}, { timeout: 20 }));
    await service.initClient(id);
    const [{ pid } = { pid: 0 }] = (await service.diagnose(id)).processes;
    process.kill(pid, 'SIGSTOP');
    const large = { text: 'x'.repeat(1024 * 1024) };
    const calls = Array.from({ length: 40 }, () => callTool(service, id, 'echo', large));
    const settled = await Promise.allSettled(calls);
    for (const outcome of settled)
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: expect.stringMatching(/outcome_unknown|connection_lost/) },
      });
    await unharmed();
  });
});

describe('T49 a server that says all the time that it changed', () => {
  it('is listed a bounded number of times', async () => {
    const journal = newFile();
    const { service, id, unharmed } = await serve(hostile({ journal, tools: ['flood'] }));
    await service.listTools(id);
    const flood = new AbortController();
    const flooding = callTool(service, id, 'flood', { changes: 2000 }).finally(() => flood.abort());
    for (let rounds = 0; !flood.signal.aborted && rounds < 100_000; rounds++) {
      await service.listTools(id);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await flooding;
    const listings = readFileSync(journal, 'utf8').split('"method":"tools/list"').length - 1;
    expect(listings).toBeGreaterThan(1);
    expect(listings).toBeLessThan(60);
    await unharmed();
  });
});

describe('T41 T42 T61 a server that does not answer as it should', () => {
  it('writes a line without end: that call fails, memory stays', async () => {
    const { service, id, unharmed } = await serve();
    await expect(callTool(service, id, 'endless')).rejects.toMatchObject({
      code: 'outcome_unknown',
      message: expect.stringMatching(hostSays('line-without-end')),
    });
    await unharmed();
  });

  it('answers with a hundred megabytes: that call fails, memory stays', async () => {
    const { service, id, unharmed } = await serve();
    await expect(callTool(service, id, 'large', { bytes: 100_000_000 })).rejects.toMatchObject({
      code: 'result_too_large',
    });
    await unharmed();
  });

  it('answers with a million objects: that call fails before anything reads them', async () => {
    const { service, id, unharmed } = await serve();
    await expect(callTool(service, id, 'crowded', { parts: 1_000_000 })).rejects.toMatchObject({
      code: 'result_too_large',
      message: expect.stringMatching(hostSays('message-parts')),
    });
    await expect(callTool(service, id, 'crowded', { fields: 11_000 })).rejects.toMatchObject({
      code: 'result_too_large',
      message: expect.stringMatching(hostSays('message-fields')),
    });
    const { content } = await callTool(service, id, 'crowded', { parts: 90_000 });
    expect(content).toEqual([]);
    await unharmed();
  });

  it('does the thing and dies before it answers: done once, unknown, and later calls work', async () => {
    const file = newFile();
    const { service, id, unharmed } = await serve();
    await expect(callTool(service, id, 'act-and-die', { file })).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
    expect(readFileSync(file, 'utf8')).toBe('done\n');
    await callTool(service, id, 'act', { file });
    expect(readFileSync(file, 'utf8')).toBe('done\ndone\n');
    await unharmed();
  });
});

describe('ten servers, one of them dead and one hanging', () => {
  it('give the tools of the other eight, and nobody waits for the dead one again', async () => {
    const service = testService();
    open.push(service);
    const healthy = Array.from({ length: 8 }, (_, at) => hostile({}, { name: `s${at}` }));
    const dead = approved({ type: 'streamableHttp', baseUrl: await deadAddress() });
    const hanging = hostile({ silentOn: 'initialize' }, { name: 'hanging' });
    const all = [dead, ...healthy, hanging];
    await Promise.all(all.map((record) => service.setServer(record)));
    const lists = await service.listAllActiveServerTools();
    expect(lists.filter(({ tools }) => tools?.length === 7)).toHaveLength(8);
    expect(lists[0]?.error).toMatchObject({ code: 'connection_refused' });
    expect(lists[9]?.error).toMatchObject({ code: 'timed_out' });
    const again = performance.now();
    expect((await service.listAllActiveServerTools()).filter(({ tools }) => tools)).toHaveLength(8);
    // Whoever waits for a server waits for three seconds at least.
    expect(performance.now() - again).toBeLessThan(2500);
  });
});

/** An address nobody listens on. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/mcp`;
}
