import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { callTool, hostile, testService } from '../../../test/fakes/mcp-servers.ts';
import type { McpService } from './mcp-service.ts';

const open: McpService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

function start(): McpService {
  const service = testService();
  open.push(service);
  return service;
}

async function serve(record = hostile()): Promise<{ service: McpService; id: string }> {
  const service = start();
  await service.setServer(record);
  return { service, id: record.id };
}

describe('listing tools', () => {
  it('collects all pages and caches them until the server says that they changed', async () => {
    const journal = newJournal();
    const tools = Array.from({ length: 25 }, (_, index) => `tool${index}`);
    const { service, id } = await serve(
      hostile({ tools: [...tools, 'change'], pageSize: 10, journal }),
    );
    expect(await service.listTools(id)).toHaveLength(26);
    expect(await service.listTools(id)).toHaveLength(26);
    expect(count(journal, 'tools/list')).toBe(3);
    await callTool(service, id, 'change');
    await service.listTools(id);
    expect(count(journal, 'tools/list')).toBe(6);
  });

  it('ends at a repeated cursor, at endless pages and at 500 tools', async () => {
    const repeated = await serve(hostile({ repeatCursor: true }));
    expect(await repeated.service.listTools(repeated.id)).toHaveLength(1);
    const endless = await serve(hostile({ endlessPages: true }));
    expect(await endless.service.listTools(endless.id)).toHaveLength(50);
    const tools = Array.from({ length: 2000 }, (_, index) => `t${index}`);
    const many = await serve(hostile({ tools }));
    expect(await many.service.listTools(many.id)).toHaveLength(500);
  });

  it('gives the tools of the others when one server fails', async () => {
    const service = start();
    const journal = newJournal();
    const [good, bad] = [hostile(), hostile({ exitAtStart: 1, journal })];
    await Promise.all([service.setServer(good), service.setServer(bad)]);
    const lists = await service.listAllActiveServerTools();
    expect(lists.find(({ serverId }) => serverId === good.id)?.tools).toHaveLength(7);
    expect(lists.find(({ serverId }) => serverId === bad.id)).toMatchObject({
      error: { code: 'connection_lost' },
    });
    const starts = count(journal, 'exit');
    for (let time = 0; time < 5; time += 1) await service.listAllActiveServerTools();
    // Its supervisor may have tried once more; no list did.
    expect(count(journal, 'exit') - starts).toBeLessThanOrEqual(1);
  });
});

describe('calling tools', () => {
  it('reports progress with its ratio', async () => {
    const { service, id } = await serve();
    const seen: unknown[] = [];
    await callTool(service, id, 'progress', {}, { onProgress: (step: unknown) => seen.push(step) });
    expect(seen).toEqual([{ progress: 1, total: 4, ratio: 0.25, message: 'a quarter' }]);
  });

  it('says when it connects for a call, and when the call is sent', async () => {
    const { service, id } = await serve();
    const steps: string[] = [];
    const onStep = (step: string) => void steps.push(step);
    await callTool(service, id, 'echo', {}, { onStep });
    expect([...new Set(steps.splice(0))]).toEqual(['connecting', 'connected', 'sent']);
    await callTool(service, id, 'echo', {}, { onStep });
    expect(steps).toEqual(['sent']);
  });

  it('sends the trace a call belongs to', async () => {
    const journal = newJournal();
    const { service, id } = await serve(hostile({ journal }));
    const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    await callTool(service, id, 'echo', {}, { trace });
    expect(readFileSync(journal, 'utf8')).toContain(`"_meta":${JSON.stringify(trace)}`);
  });

  it('tells the server when a call is aborted by its id', async () => {
    const journal = newJournal();
    const { service, id } = await serve(hostile({ journal }));
    const running = Promise.withResolvers<void>();
    const pending = callTool(
      service,
      id,
      'slow',
      {},
      { callId: 'mine', onProgress: () => running.resolve() },
    );
    const refused = expect(pending).rejects.toMatchObject({ code: 'cancelled' });
    await running.promise;
    expect(service.abortTool('mine')).toBe(true);
    expect(service.abortTool('other')).toBe(false);
    await refused;
    await callTool(service, id, 'echo');
    expect(count(journal, 'notifications/cancelled')).toBe(1);
    expect(service.abortTool('mine')).toBe(false);
  });

  it('does not send a call that was aborted before it began', async () => {
    const journal = newJournal();
    const { service, id } = await serve(hostile({ journal }));
    await service.initClient(id);
    const aborted = callTool(service, id, 'echo', {}, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'cancelled' });
    expect(count(journal, 'tools/call')).toBe(0);
  });

  it('ends a call at the time limit of its server and tells the server', async () => {
    const journal = newJournal();
    const { service, id } = await serve(hostile({ journal }, { timeout: 0.2 }));
    await expect(callTool(service, id, 'slow')).rejects.toMatchObject({ code: 'timed_out' });
    await callTool(service, id, 'echo');
    expect(count(journal, 'notifications/cancelled')).toBe(1);
    expect(count(journal, 'tools/call')).toBe(2);
  });

  it('says that the outcome is unknown when the server dies, and works again afterwards', async () => {
    const { service, id } = await serve();
    await expect(callTool(service, id, 'die')).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(service.status(id)).toMatchObject({
      state: 'reconnecting',
      reason: expect.stringContaining('dying as told'),
    });
    expect((await callTool(service, id, 'echo')).content).toHaveLength(1);
  });

  it('takes an answer that was written just before the server exited', async () => {
    const { service, id } = await serve();
    const result = await callTool(service, id, 'answer-and-die');
    expect(result.content).toEqual([{ type: 'text', text: 'last words' }]);
  });

  it('skips garbage on stdout and notes it', async () => {
    const { service, id } = await serve(hostile({ banner: 'Welcome to my server!' }));
    const result = await callTool(service, id, 'garbage');
    expect(result.content).toEqual([{ type: 'text', text: 'after garbage' }]);
    expect(service.logs(id).join('\n')).toContain("isn't an MCP message: Welcome");
  });

  it('fails only the call whose answer is over 8 MiB', async () => {
    const { service, id } = await serve();
    const [large, small] = await Promise.allSettled([
      callTool(service, id, 'large', { bytes: 10 * 1024 * 1024 }),
      callTool(service, id, 'echo'),
    ]);
    expect(large).toMatchObject({ status: 'rejected', reason: { code: 'result_too_large' } });
    expect(small.status).toBe('fulfilled');
    expect(service.status(id).state).toBe('connected');
  });

  it('leaves a server that writes a line without end', async () => {
    const { service, id } = await serve();
    await expect(callTool(service, id, 'endless')).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
    expect(service.logs(id).join('\n')).toContain('line that is too long');
    expect((await callTool(service, id, 'echo')).content).toHaveLength(1);
  });

  it('refuses answers that are too deep or not readable, and keeps parts it does not know', async () => {
    const { service, id } = await serve();
    for (const name of ['deep', 'unreadable']) {
      await expect(callTool(service, id, name)).rejects.toMatchObject({
        code: 'unreadable_response',
      });
    }
    const { content } = await callTool(service, id, 'unknown-part');
    expect(content).toEqual([{ type: 'text', text: '{"type":"hologram","data":1}' }]);
  });

  it('tells unknown tools, switched-off tools, unknown servers and repeated ids apart', async () => {
    const { service, id } = await serve(hostile({}, { disabledTools: ['large'] }));
    await expect(callTool(service, id, 'nope')).rejects.toMatchObject({
      code: 'tool_not_found',
      details: { code: -32602 },
    });
    await expect(callTool(service, id, 'large')).rejects.toThrow('disabled');
    await expect(callTool(service, 'nobody', 'echo')).rejects.toMatchObject({
      code: 'server_not_found',
    });
    const slow = callTool(service, id, 'slow', {}, { callId: 'twice' }).catch(() => 'ended');
    await expect(callTool(service, id, 'echo', {}, { callId: 'twice' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await service.stopServer(id);
    expect(await slow).toBe('ended');
  });
});

function newJournal(): string {
  const journal = join(mkdtempSync(join(tmpdir(), 'cerise-')), 'journal');
  writeFileSync(journal, '');
  return journal;
}

function count(journal: string, method: string): number {
  return readFileSync(journal, 'utf8').split(`"method":"${method}"`).length - 1;
}
