import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

/** Breaks a response off: what was written still arrives, its end does not. */
export async function cutOff(response: ServerResponse): Promise<void> {
  response.flushHeaders();
  // Node holds the first write of a response back until the next tick.
  await setImmediate();
  response.socket?.end();
  await setImmediate();
  response.destroy();
}
