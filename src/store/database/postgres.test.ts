import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { describe, expect, inject, it } from 'vitest';
import { openStore } from '../open-store.ts';

const home = tmpdir();
const url = inject('postgresUrl');

async function failure(databaseUrl: string): Promise<Error & { code?: string; cause?: unknown }> {
  return await openStore({ home, databaseUrl }).then(
    () => new Error('it opened'),
    (error: Error) => error,
  );
}

describe('a PostgreSQL address', () => {
  it.each([
    'mysql://user:hunter2@localhost/x',
    'postgres://user:hunter2@[::bad/x',
    'hunter2',
    '/var/lib/hunter2',
  ])('that is none is refused without repeating it (%#)', async (databaseUrl) => {
    const error = await failure(databaseUrl);
    expect(error.code).toBe('storage_unavailable');
    expect(JSON.stringify([error, error.message, String(error.cause)])).not.toContain('hunter2');
  });

  it('that nobody listens at is refused at once', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const error = await failure(`postgres://user:hunter2@127.0.0.1:${port}/x`);
    expect(error).toMatchObject({ code: 'storage_unavailable' });
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.message).not.toContain('hunter2');
  });

  it('where something else listens is refused', async () => {
    const server = createServer((socket) => {
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n', () => socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const error = await failure(`postgres://user:hunter2@127.0.0.1:${port}/x`);
    expect(error).toMatchObject({ code: 'storage_unavailable' });
    await new Promise((resolve) => server.close(resolve));
  });
});

describe.skipIf(url === null)('a PostgreSQL server', () => {
  it('that refuses the password or has no such database is unavailable', async () => {
    const wrong = new URL(url ?? '');
    wrong.password = 'hunter2';
    const error = await failure(wrong.href);
    expect(error.code).toBe('storage_unavailable');
    expect(error.message).not.toContain('hunter2');
    const nowhere = new URL(url ?? '');
    nowhere.pathname = '/nowhere';
    expect((await failure(nowhere.href)).code).toBe('storage_unavailable');
  });
});
