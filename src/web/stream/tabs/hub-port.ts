import { createConnection } from '#client/http/connection.ts';
import type { ToHub, ToTab } from '../hub-protocol.ts';
import type * as HubModule from '../hub.ts';

/** The way to the hub. */
export interface HubPort {
  post: (message: ToHub) => void;
}

/** A worker that has not said a word by then is taken for broken. */
const patienceMs = 5000;
/** When a part of the page that did not come is asked for again. */
const retryMs = 1000;

/**
 * Opens the way to the hub: in the worker that all tabs share, or in this tab alone where there are no
 * such workers (or this one does not start).
 */
export function openHubPort(receive: (message: ToTab) => void): HubPort {
  if (typeof SharedWorker === 'undefined') return openOwnHub(receive);
  const worker = new SharedWorker(new URL('./stream-worker.ts', import.meta.url), {
    type: 'module',
    name: 'cerise-stream',
  });
  const said: ToHub[] = [];
  let own: HubPort | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let works = false;
  const giveUp = () => {
    if (works || own) return;
    worker.port.close();
    own = openOwnHub(receive);
    for (const message of said.splice(0)) own.post(message);
  };
  worker.addEventListener('error', giveUp);
  worker.port.addEventListener('message', ({ data }: MessageEvent<ToTab>) => {
    works = true;
    clearTimeout(timer);
    said.length = 0;
    if (!own) receive(data);
  });
  worker.port.start();
  return {
    post: (message) => {
      if (own) return own.post(message);
      if (!works) {
        said.push(message);
        timer ??= setTimeout(giveUp, patienceMs);
      }
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
      worker.port.postMessage(message);
    },
  };
}

function openOwnHub(receive: (message: ToTab) => void): HubPort {
  const hub = readHub(() => receive({ type: 'down' })).then(
    ({ Hub }) => new Hub(createConnection()),
  );
  return { post: (message) => void hub.then((loaded) => loaded.take(receive, message)) };
}

/** The host may go while the page is still being read: then there is no line, until the rest comes too. */
async function readHub(onDown: () => void): Promise<typeof HubModule> {
  for (;;) {
    try {
      return await import('../hub.ts');
    } catch (error) {
      console.warn('The stream cannot be read yet.', error);
      onDown();
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}
