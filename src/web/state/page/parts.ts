import { create } from 'zustand';
import { lineIsBack, useLine } from './line.ts';

/** Whether the host has another page by now, so that parts of this one are gone. */
export const useOutdated = create<{ outdated: boolean }>(() => ({ outdated: false }));

/** When a part that did not come although the line is up is asked for again. */
const pauses = [500, 2000];

/**
 * Reads a part of the page itself. While the host is away that is put off instead of failing for good.
 * Where the host has another page by now it never resolves: only loading the page anew helps, which
 * `useOutdated` tells.
 */
export async function readPart<T>(read: () => Promise<T>): Promise<T> {
  for (let failures = 0; ;) {
    try {
      return await read();
    } catch (error) {
      if (!useLine.getState().live) {
        await lineIsBack();
        continue;
      }
      if (await isOutdated()) {
        useOutdated.setState({ outdated: true });
        return new Promise(() => undefined);
      }
      const pause = pauses[failures++];
      if (pause === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** The first script is named by its content: a page that does not name ours is another one. */
async function isOutdated(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  const name = own?.src.split('/').at(-1);
  if (!name) return false;
  try {
    const page = await fetch('/', { cache: 'no-store' });
    return page.ok && !(await page.text()).includes(name);
  } catch {
    // Nobody answers: whether it is another page is seen when somebody does.
    return false;
  }
}
