import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { McpProcessTracker } from '#mcp/process/process-tracker.ts';
import { installAccess, Sandbox } from '#mcp/process/sandbox.ts';
import { startProcess } from '#mcp/process/start-process.ts';
import type { McpService } from '#mcp/service/mcp-service.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ServerAccess } from '#shared/vocabulary/server-access.ts';
import { canConfine } from './bubblewrap.ts';
import { approved, callTool, testService } from './fakes/mcp-servers.ts';

// Starts processes: what the kernel refuses can only be seen from inside one.
const root = mkdtempSync(join(tmpdir(), 'cerise-sandbox-'));
/** Cerise's data, and folders of a person: to be read, to be written, and for nobody. */
const [data, notes, work, privately] = ['data', 'notes', 'work', 'private'].map((name) => {
  mkdirSync(join(root, name));
  return join(root, name);
}) as [string, string, string, string];
const secret = 'the-secret-of-this-host';
for (const name of ['secret.key', 'server.json', 'cerise.db', 'servers/other/note'])
  put(join(data, name), secret);
for (const folder of [notes, work, privately]) put(join(folder, 'file'), secret);
symlinkSync(join(data, 'secret.key'), join(notes, 'link-to-key'));
symlinkSync(join(privately, 'file'), join(notes, 'link-out'));
// Its name is in no file system, so only another network can keep anybody away from it.
const abstract = `\0cerise-sandbox-${process.pid}`;
const listeners = [createServer(), createServer()] as const;
await Promise.all([listen(listeners[0], 0), listen(listeners[1], abstract)]);
const { port } = listeners[0].address() as { port: number };

function put(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

function listen(server: ReturnType<typeof createServer>, place: number | string) {
  return new Promise<void>((resolve) => void server.listen(place as number, '127.0.0.1', resolve));
}

const services: McpService[] = [];
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  for (const listener of listeners) listener.close();
  rmSync(root, { recursive: true, force: true });
});

/** A prying server with this access; what it answers to an attempt. */
function start(access: ServerAccess | undefined, bubblewrap?: false) {
  const sandbox = new Sandbox({ dataFolder: data, bubblewrap });
  const service = testService({ sandbox });
  services.push(service);
  const record = approved({
    type: 'stdio',
    command: process.execPath,
    args: ['prying-server.ts'],
    ...(access && { access }),
  });
  const own = sandbox.folderOf(record.id);
  mkdirSync(own, { recursive: true });
  copyFileSync(join(import.meta.dirname, 'fakes/prying-server.ts'), join(own, 'prying-server.ts'));
  const added = service.setServer(record);
  return {
    own,
    service,
    id: record.id,
    pry: async (attempt: JsonObject): Promise<string> => {
      await added;
      const { content } = await callTool(service, record.id, 'pry', attempt);
      return content[0]?.type === 'text' ? content[0].text : '';
    },
  };
}

const isRoot = process.getuid?.() === 0;
const key = join(data, 'secret.key');
let count = 0;

/** What none may reach, whatever its access. `own` is the server's folder. */
const forbidden: [what: string, attempt: (own: string) => JsonObject][] = [
  ['the key', () => ({ read: key })],
  ['the way to the running host', () => ({ read: join(data, 'server.json') })],
  ['the database', () => ({ read: join(data, 'cerise.db') })],
  ['the folder of another server', () => ({ read: join(data, 'servers/other/note') })],
  ['the list of the data folder with the key in it', () => ({ shell: `ls ${data} | grep key` })],
  ['a new file in the data folder', () => ({ write: join(data, `mine-${++count}`) })],
  [
    'the key through a link of its own',
    (own) => ({ link: { from: join(own, `l${++count}`), to: key } }),
  ],
  ['the key through the root of the host', () => ({ read: `/proc/${process.pid}/root${key}` })],
  ['the environment of the host', () => ({ read: `/proc/${process.pid}/environ` })],
  ['the open files of the host', () => ({ list: `/proc/${process.pid}/fd` })],
  ['a signal to the host', () => ({ signal: process.pid })],
  ['the key by a grandchild in another session', () => ({ shell: `cat ${key}` })],
];

/** What root could do, were it left its rights and devices. */
const forbiddenToRoot: typeof forbidden = [
  [
    'the key after the mount over it is taken away',
    () => ({ shell: `umount ${data}; cat ${key}` }),
  ],
  [
    'the key in a namespace of its own',
    () => ({ shell: `unshare -m sh -c 'umount ${data}; cat ${key}'` }),
  ],
  [
    'the name of the program that the kernel starts',
    () => ({ open: '/proc/sys/kernel/core_pattern' }),
  ],
  ['a device', (own) => ({ shell: `mknod ${own}/null${++count} c 1 3` })],
];

/** What only a wide access gives. */
const wide: typeof forbidden = [
  ['a folder that was not chosen', () => ({ read: join(privately, 'file') })],
  ['it through a link in a chosen folder', () => ({ read: join(notes, 'link-out') })],
  [
    'it through a link of its own',
    (own) => ({ link: { from: join(own, `l${++count}`), to: join(privately, 'file') } }),
  ],
  ['it by a grandchild', () => ({ shell: `cat ${join(privately, 'file')}` })],
  ['the temporary files of others', () => ({ read: markInTmp() })],
  ['a port of this machine', () => ({ connect: { port } })],
  ['a socket without a file', () => ({ connect: { path: abstract } })],
  [
    'the network by a grandchild',
    () => ({
      shell: `node -e "require('net').connect(${port}).on('connect', () => process.exit(0)).on('error', () => process.exit(1))"`,
    }),
  ],
];

function markInTmp(): string {
  const file = join('/tmp', `cerise-sandbox-${process.pid}`);
  writeFileSync(file, 'of somebody else');
  return file;
}
afterAll(() => rmSync(join('/tmp', `cerise-sandbox-${process.pid}`), { force: true }));

const folders = { folders: [{ path: notes }, { path: work, write: true }] };
const settings: [name: string, access: ServerAccess | undefined][] = [
  ['that says nothing of its access', undefined],
  ['with all files and no network', { files: 'everything', network: false }],
  ['with chosen folders', { files: folders, network: false }],
  ['with its own folder only', { files: 'own', network: false }],
];

const all = [...forbidden, ...(isRoot ? forbiddenToRoot : [])];

describe.skipIf(process.platform !== 'linux')('a server without a sandbox', () => {
  const free = start({ files: 'own', network: false }, false);
  // Without this nobody knows whether an attempt that fails below was a good one.
  it.each([...forbidden, ...(isRoot ? forbiddenToRoot.slice(2) : []), ...wide])(
    'gets %s',
    async (_what, attempt) => {
      expect(await free.pry(attempt(free.own))).toMatch(/^got /);
    },
  );
});

describe.skipIf(!canConfine())('a server in the sandbox', () => {
  describe.each(settings)('%s', (_name, access) => {
    const server = start(access);

    it.each(all)('does not get %s', async (_what, attempt) => {
      const answer = await server.pry(attempt(server.own));
      expect(answer).toMatch(/^refused: /);
      expect(answer).not.toContain(secret);
    });

    it('reads and writes in its own folder, where it starts', async () => {
      expect(await server.pry({ write: 'note' })).toBe('got it written');
      expect(readFileSync(join(server.own, 'note'), 'utf8')).toBe('mine');
      expect(await server.pry({ list: '.' })).toContain('note');
    });

    it('is alone with what it started', async () => {
      const seen = await server.pry({ shell: 'ls /proc | grep -c "^[0-9]"' });
      expect(Number(seen.replace('got ', ''))).toBeLessThan(12);
    });
  });

  it('can end by itself when it is asked to', async () => {
    const sandbox = new Sandbox({ dataFolder: data });
    const own = sandbox.folderOf('polite');
    const code = `process.on('SIGTERM', () => {
      require('fs').writeFileSync('ended', 'by a signal');
      process.exit(0);
    });
    setInterval(() => {}, 1000);
    console.log('up')`;
    const config = { type: 'stdio' as const, name: 'polite', command: process.execPath, env: {} };
    const tracker = new McpProcessTracker();
    const log = { push: () => undefined };
    const deps = { tracker, log, place: { sandbox, own } };
    const server = await startProcess({ ...config, args: ['-e', code] }, deps);
    await once(server.stdout, 'data');
    await server.close();
    expect(readFileSync(join(own, 'ended'), 'utf8')).toBe('by a signal');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it('finds no other root in its own /proc', async () => {
    const server = start(undefined);
    for (const process of ['1', 'self'])
      expect(await server.pry({ read: `/proc/${process}/root${key}` })).toMatch(/^refused: /);
  });

  it('still sees files and network of the machine where nothing was narrowed', async () => {
    const server = start(undefined);
    for (const [, attempt] of wide) expect(await server.pry(attempt(server.own))).toMatch(/^got /);
    expect(await server.pry({ write: join(privately, 'new') })).toBe('got it written');
  });

  it.each([
    ['chosen folders', { files: folders, network: false } as const],
    ['its own folder', { files: 'own', network: false } as const],
  ])('gets nothing wider with %s', async (_name, access) => {
    const server = start(access);
    for (const [what, attempt] of wide)
      expect([what, await server.pry(attempt(server.own))]).toEqual([
        what,
        expect.stringMatching(/^refused: /),
      ]);
  });

  it('has no network but all files if only the network was taken', async () => {
    const server = start({ files: 'everything', network: false });
    expect(await server.pry({ read: join(privately, 'file') })).toMatch(/^got /);
    expect(await server.pry({ connect: { port } })).toMatch(/^refused: /);
  });

  it('has the network without files if only the files were taken, as an install has', async () => {
    const server = start(installAccess);
    expect(await server.pry({ read: join(privately, 'file') })).toMatch(/^refused: /);
    expect(await server.pry({ connect: { port } })).toMatch(/^got /);
  });

  it('reads a chosen folder, and writes only where it may', async () => {
    const server = start({ files: folders, network: false });
    expect(await server.pry({ read: join(notes, 'file') })).toMatch(/^got /);
    expect(await server.pry({ write: join(notes, 'new') })).toMatch(/^refused: /);
    expect(await server.pry({ write: join(work, 'new') })).toBe('got it written');
    expect(await server.pry({ write: '/usr/mine' })).toMatch(/^refused: /);
    expect(await server.pry({ write: '/mine' })).toMatch(/^refused: /);
  });

  it('sees a chosen folder around the data folder without the data', async () => {
    const server = start({ files: { folders: [{ path: root, write: true }] }, network: false });
    expect(await server.pry({ read: join(privately, 'file') })).toMatch(/^got /);
    for (const [, attempt] of forbidden)
      expect(await server.pry(attempt(server.own))).toMatch(/^refused: /);
  });

  it('sees nothing of /etc that is secret, and what it needs of it', async () => {
    const server = start({ files: 'own', network: true });
    expect(await server.pry({ read: '/etc/passwd' })).toMatch(/^got /);
    for (const file of [
      '/etc/shadow',
      '/etc/ssh',
      '/etc/ssl/private',
      '/root',
      '/home',
      '/var/lib',
    ])
      expect(await server.pry({ list: file })).toMatch(/^refused: /);
  });
});

describe.skipIf(!canConfine())('a server that cannot be started with its access', () => {
  const linked = join(root, 'linked');
  symlinkSync(notes, linked);
  it.each([
    ['a folder that does not exist', { folders: [{ path: join(root, 'gone') }] }, /doesn't exist/],
    ['a folder that is a link', { folders: [{ path: linked }] }, /resolves to/],
    ['a folder named by a detour', { folders: [{ path: `${notes}/../private` }] }, /resolves to/],
    ['the data folder', { folders: [{ path: data }] }, /part of Cerise's data/],
    [
      'the folder of another server',
      { folders: [{ path: join(data, 'servers/other') }] },
      /part of Cerise's/,
    ],
    ['the root', { folders: [{ path: '/' }] }, /can't be shared/],
    ['/proc', { folders: [{ path: '/proc' }] }, /can't be shared/],
    ['a relative folder', { folders: [{ path: 'notes' }] }, /doesn't exist/],
  ])('is told so: %s', async (_what, files, words) => {
    const server = start({ files, network: false });
    await expect(server.pry({ list: '.' })).rejects.toMatchObject({
      code: 'invalid_server',
      message: expect.stringMatching(words),
      hint: expect.any(String),
    });
    expect(server.service.status(server.id).state).toBe('failed');
  });
});
