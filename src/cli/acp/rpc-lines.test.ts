import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { RpcLines } from './rpc-lines.ts';

it('rejects what waits for an answer when the editor leaves, and what is asked then', async () => {
  const io = { stdin: new PassThrough(), stdout: new PassThrough() };
  const rpc = new RpcLines(io);
  const running = rpc.run({}, new AbortController().signal);
  const waiting = rpc.request('session/request_permission', {});
  const gone = expect(waiting).rejects.toMatchObject({ code: 'connection_lost' });
  io.stdin.end();
  await running;
  await gone;
  await expect(rpc.request('session/request_permission', {})).rejects.toMatchObject({
    code: 'connection_lost',
  });
});
