import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Asked, useServer } from './use-server.ts';

/** The suite starts its clients all at once: these take turns, so that none is slow because of the others. */
const atOnce = 3;
/** Milliseconds without another client: by then the suite has started them all, and answers quickly. */
const quiet = 500;

/** Does the work of each client.mjs that is started with `env`, in this process. */
export async function serveClients(
  folder: string,
): Promise<{ env: Record<string, string>; close(): void }> {
  const waiting: Socket[] = [];
  let free = atOnce;
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    for (; free > 0 && waiting.length > 0; free -= 1) {
      const socket = waiting.shift();
      if (!socket) return;
      void answer(socket).finally(() => {
        free += 1;
        next();
      });
    }
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // The suite may end a client that took too long.
    socket.on('error', () => socket.destroy());
    waiting.push(socket);
    clearTimeout(timer);
    timer = setTimeout(next, quiet);
  });
  const path =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\cerise-clients-${process.pid}-${Date.now()}`
      : join(folder, 'clients.sock');
  await once(server.listen(path), 'listening');
  return { env: { CERISE_TEST_CLIENTS: path }, close: () => server.close() };
}

async function answer(socket: Socket): Promise<void> {
  try {
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    await once(socket, 'end');
    socket.end(JSON.stringify(await useServer(JSON.parse(text) as Asked)));
  } catch (error) {
    socket.end(JSON.stringify({ ending: 'nothing', words: String(error) }));
  }
}
