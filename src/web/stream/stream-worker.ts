import { Hub } from './hub.ts';
import type { ToHub, ToTab } from './messages.ts';

/** The one worker of all tabs of a browser: it holds their event stream. */
const hub = new Hub();

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  const post = (message: ToTab) => port.postMessage(message);
  const leave = () => hub.leave(post);
  port.addEventListener('message', ({ data }: MessageEvent<ToHub>) => {
    hub.take(post, data);
    // The lock is free only when the tab let go of it, or is no more.
    if (data.type === 'attach' && data.lock !== undefined)
      navigator.locks.request(data.lock, leave).catch(console.error);
  });
  port.addEventListener('close', leave);
  port.start();
});
