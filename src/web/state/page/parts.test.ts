import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useLine } from './line.ts';
import { readPart, useOutdated } from './parts.ts';

const gone = new TypeError('Failed to fetch dynamically imported module');

describe('a part of the page', () => {
  /** What the host serves as its page. */
  let page = '';

  beforeEach(() => {
    page = '<script type="module" src="/assets/index-old.js"></script>';
    vi.stubGlobal('document', { querySelector: () => ({ src: 'http://h/assets/index-old.js' }) });
    vi.stubGlobal('fetch', async () => new Response(page));
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    useLine.setState({ live: true });
    useOutdated.setState({ outdated: false });
    return () => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
      useLine.setState({ live: true });
      useOutdated.setState({ outdated: false });
    };
  });

  it('that is asked for while the host is away comes when it is back', async () => {
    useLine.setState({ live: false });
    const read = vi.fn().mockRejectedValueOnce(gone).mockResolvedValue('part');
    const part = readPart(read);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(read).toHaveBeenCalledTimes(1);
    useLine.setState({ live: true });
    expect(await part).toBe('part');
  });

  it('is asked for again where it did not come although the line is up, but not for ever', async () => {
    const flaky = vi.fn().mockRejectedValueOnce(gone).mockResolvedValue('part');
    const part = readPart(flaky);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await part).toBe('part');
    const broken = vi.fn().mockRejectedValue(gone);
    const failed = readPart(broken).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await failed).toBe(gone);
    expect(broken).toHaveBeenCalledTimes(3);
    expect(useOutdated.getState().outdated).toBe(false);
  });

  it('of another version is not asked for again: the page says that it is outdated', async () => {
    page = '<script type="module" src="/assets/index-new.js"></script>';
    const read = vi.fn().mockRejectedValue(gone);
    void readPart(read);
    await vi.waitFor(() => expect(useOutdated.getState().outdated).toBe(true));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('waits on where nobody says what the page is by now', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    const read = vi.fn().mockRejectedValueOnce(gone).mockResolvedValue('part');
    const part = readPart(read);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await part).toBe('part');
  });
});

it('is read in one way everywhere, which waits for the host', () => {
  const folder = resolve(import.meta.dirname, '../..');
  const waits = /(?:lazyPart|createLazy)\( ?async \(\) => \(await |readPart\(\(\) => /;
  // The hub makes the line that others wait for; texts come through `readPart`, language by language.
  const own = new Set(['stream/tabs/hub-port.ts', 'state/page/language.ts']);
  const others = globSync('**/*.{ts,tsx}', { cwd: folder })
    .filter((name) => !/\.test\.tsx?$/.test(name) && !own.has(name))
    .flatMap((name) => {
      const code = readFileSync(join(folder, name), 'utf8').replaceAll(/\s+/g, ' ');
      const loads = [...code.matchAll(/.{0,60}\bimport\('/g)].map(([found]) => found);
      return loads.filter((found) => !waits.test(found)).map((found) => `${name}: ${found}`);
    });
  expect(others).toEqual([]);
});
