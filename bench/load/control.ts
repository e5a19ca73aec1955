import type { Server } from 'node:http';
import { start } from '../processes.ts';

/** Serves on a free port of this machine and says where. */
export async function listen(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  console.log(`ready at http://127.0.0.1:${port}`);
}

/** A process that `listen`s, with a way to ask it. */
export interface Controlled extends AsyncDisposable {
  pid: number;
  url: string;
  ask<T>(path: string, body?: unknown): Promise<T>;
}

/** Starts a process that `listen`s. */
export async function startControlled(script: URL): Promise<Controlled> {
  const running = start(script);
  const url = (await running.line(/ready at (\S+)/))[1] ?? '';
  return {
    pid: running.pid,
    url,
    ask: <T>(path: string, body?: unknown) => post<T>(`${url}${path}`, body),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** Posts JSON and reads JSON; anything but success is thrown. */
export async function post<T>(url: string, body: unknown, token = ''): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body ?? {}),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
