import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** The variable that tells a process where to ask for its turn. */
const place = 'CERISE_TEST_TURNS';

/** Lets so many processes at once go on; whoever ends makes room for the next. */
export async function giveTurns(
  folder: string,
  most: number,
): Promise<{ env: Record<string, string>; close(): void }> {
  const waiting: Socket[] = [];
  let free = most;
  const next = (): void => {
    for (; free > 0 && waiting.length > 0; free -= 1) waiting.shift()?.write('go');
  };
  const server = createServer((socket) => {
    waiting.push(socket);
    socket.resume();
    socket.once('close', () => {
      const index = waiting.indexOf(socket);
      if (index >= 0) waiting.splice(index, 1);
      else free += 1;
      next();
    });
    socket.on('error', () => socket.destroy());
    next();
  });
  const path =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\cerise-turns-${process.pid}-${Date.now()}`
      : join(folder, 'turns.sock');
  await once(server.listen(path), 'listening');
  return { env: { [place]: path }, close: () => server.close() };
}

/** Waits for this process's turn, which lasts until it ends. At once if nobody gives turns. */
export async function takeTurn(): Promise<void> {
  const path = process.env[place];
  if (path === undefined) return;
  const socket = connect(path);
  await once(socket, 'data');
  socket.unref();
}
