// MCP servers as a library: connections, lists, calls, processes and repeats.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import {
  CallError,
  CeriseError,
  McpProcessTracker,
  McpService,
  safeMcpCall,
  type ServerConfigInput,
  type ServerRecord,
  type ServerRecordInput,
} from 'cerise/mcp';
import { asked, createDesk } from './desk-server.ts';

const desk = fileURLToPath(new URL('desk-server.ts', import.meta.url));

/** One shared pending connection, by id and by the server's object. */
async function connects(): Promise<void> {
  const service = new McpService({ builtin: async () => createDesk() });
  const [server] = await service.addServers({ name: 'desk', type: 'inMemory', builtin: 'desk' });
  assert(server);
  const [first, second] = await Promise.all([
    service.initClient(server),
    service.initClient(server.id),
  ]);
  assert.equal(first, second);
  assert.equal(await service.checkConnectivity(server), true);
  await service.restartServer(server);
  assert.notEqual(await service.initClient(server), first);
  await service.stopServer(server);
  assert.equal(service.status(server).state, 'idle');
  const result = await service.callTool({ server, name: 'add', args: { a: 2, b: 3 }, callId: 'c' });
  assert.deepEqual(result.content, [{ type: 'text', text: '5' }]);
  await service.close();
}

/** Lists, resources and prompts, each asked for once. */
async function lists(): Promise<void> {
  const service = new McpService({ builtin: async () => createDesk() });
  const record: ServerRecord = {
    id: 'desk-1',
    owner: 'me',
    config: { name: 'desk', type: 'inMemory', builtin: 'desk' },
    createdAt: 0,
    updatedAt: 0,
  };
  // The object alone sets it.
  const tools = await service.listTools(record);
  assert.deepEqual(tools.map(({ name }) => name).toSorted(), ['add', 'draw', 'wait']);
  assert.equal((await service.listResources('desk-1'))[0]?.uri, 'desk://notes');
  assert.equal((await service.getResource(record, 'desk://notes'))[0]?.text, 'Buy milk.');
  assert.equal((await service.listPrompts(record))[0]?.name, 'greet');
  const before = asked.prompts;
  for (let time = 0; time < 3; time += 1) await service.getPrompt(record, 'greet', { name: 'Ada' });
  assert.equal(asked.prompts - before, 1);
  await service.getPrompt(record, 'greet', { name: 'Bob' });
  assert.equal(asked.prompts - before, 2);
  await service.close();
}

/** A call is aborted by its id or by time, at its server; a batch settles whatever becomes of each. */
async function calls(): Promise<void> {
  const service = new McpService({ builtin: async () => createDesk() });
  const [server] = await service.addServers({ name: 'desk', type: 'inMemory', builtin: 'desk' });
  assert(server);
  await service.initClient(server);
  const waiting = service.callTool({ server, name: 'wait', callId: 'w' });
  while (!service.abortTool('w')) await new Promise(setImmediate);
  await assert.rejects(waiting, { code: 'cancelled' });
  await assert.rejects(service.callTool({ server, name: 'wait', timeout: 0.05 }), {
    code: 'timed_out',
  });
  const outcomes = await service.batchToolCalls([
    { server, name: 'add', args: { a: 1, b: 1 } },
    { server, name: 'nothing' },
    { server: 'nobody', name: 'add' },
  ]);
  assert('result' in (outcomes[0] ?? {}));
  assert.deepEqual(
    outcomes.map((outcome) => ('error' in outcome ? outcome.error.code : 'done')),
    ['done', 'tool_not_found', 'server_not_found'],
  );
  await service.close();
}

/** A local server from the JSON of another app, run only after approval, ended by its connection. */
async function processes(): Promise<void> {
  const tracker = McpProcessTracker.getInstance();
  assert.equal(tracker, McpProcessTracker.getInstance());
  const mcpServers = {
    desk: { command: process.execPath, args: [desk, 'stdio'] },
    other: { command: 'curl' },
  };
  const service = new McpService({
    tracker,
    approve: ({ config }) => config.type === 'stdio' && config.command === process.execPath,
  });
  const [server, other] = await service.addServers({ mcpServers });
  assert(server && other);
  assert.equal(service.status(other).state, 'draft');
  await assert.rejects(service.initClient(other), { code: 'server_not_approved' });
  const connection = await service.initClient(server);
  assert.equal(tracker.tracked().length, 1);
  // The name that the JSON gives it names it in calls, too.
  const sum = await service.callTool({ server: 'desk', name: 'add', args: { a: 20, b: 22 } });
  assert.deepEqual(sum.content, [{ type: 'text', text: '42' }]);
  await tracker.closeConnection(connection);
  assert.deepEqual(tracker.tracked(), []);
  // The object alone sets it here too; it runs once its launch is approved.
  const command = process.execPath;
  const record: ServerRecordInput = {
    id: 'written',
    owner: 'me',
    config: { name: 'written', type: 'stdio', command },
    createdAt: 0,
    updatedAt: 0,
  };
  assert.equal(service.status(record).state, 'draft');
  const config: ServerConfigInput = {
    name: 'desk 2',
    type: 'stdio',
    command,
    args: [desk, 'stdio'],
  };
  await service.setServer({
    ...record,
    config,
    approvedHash: service.launchHash({ ...record, config }),
  });
  assert.equal(await service.checkConnectivity(record), true);
  await service.close();
}

/** What a server may have got is never repeated by itself. */
async function repeats(): Promise<void> {
  let tries = 0;
  const failing = (error: Error) => () => {
    tries += 1;
    return Promise.reject<number>(error);
  };
  const left = new CallError('left', 'timed_out', 'Too late.');
  assert.equal(await safeMcpCall(failing(left), { retries: 5, fallback: -1 }), -1);
  assert.equal(tries, 1);
  const never = new CallError('never-left', 'connection_refused', 'Nobody there.');
  await assert.rejects(safeMcpCall(failing(never), { retries: 2, pauseMs: 1 }), CeriseError);
  assert.equal(tries, 4);
  const isRepeatable = () => true;
  const options = { retries: 1, pauseMs: 1, isRepeatable, fallback: () => 0 };
  assert.equal(await safeMcpCall(failing(left), options), 0);
  assert.equal(tries, 6);
}

for (const part of [connects, lists, calls, processes, repeats]) await part();
console.log('ok');
