import { createConnection } from '#client/http/connection.ts';
import type { ToHub, ToTab } from '../hub-protocol.ts';
import { Hub } from '../hub.ts';

/** The one worker of all tabs of a browser: it holds their event stream. */
const hub = new Hub(createConnection());

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  const post = (message: ToTab) => port.postMessage(message);
  let lock: string | undefined;
  port.addEventListener('message', ({ data }: MessageEvent<ToHub>) => {
    hub.take(post, data);
    if (data.type !== 'attach') return;
    lock = data.lock;
    if (lock === undefined) return;
    // It is free only when the tab let go of it, or is no more; a tab that came back has another.
    const leave = () => (lock === data.lock ? hub.leave(post) : undefined);
    navigator.locks.request(lock, leave).catch(console.error);
  });
  port.addEventListener('close', () => hub.leave(post));
  port.start();
});
