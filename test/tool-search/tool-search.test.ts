import { describe, expect, it } from 'vitest';
import type { Tool } from '#shared/vocabulary/tool.ts';
import { deferTools, estimateTokens } from '#tools/search/deferred-tools.ts';
import { createToolIndex } from '#tools/search/tool-index.ts';
import { cpuTime } from '../cpu-time.ts';
import { checkRequests, labelOf } from './check-requests.ts';
import { buildCorpus } from './corpus.ts';
import { laterRequests } from './later-requests.ts';
import { requests } from './requests.ts';
import { unseenRequests } from './unseen-requests.ts';

const tools = buildCorpus();
const index = createToolIndex(tools);

function shareInFirstFive(list: string): { share: number; missed: string[] } {
  const checked = checkRequests(index, list);
  const missed = checked.filter(({ place }) => place < 0 || place >= 5);
  return {
    share: 1 - missed.length / checked.length,
    missed: missed.map(
      ({ request, wanted, found }) => `${request} → ${wanted}, not ${found.join(', ')}`,
    ),
  };
}

describe('tool search over ten servers', () => {
  it('has about two thousand tools, every one with its own name', () => {
    expect(tools.length).toBeGreaterThan(1900);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    expect(new Set(tools.map(({ serverName }) => serverName)).size).toBe(10);
  });

  it.each([
    ['the requests it was tuned with', requests, 100],
    ['requests that were written later', laterRequests, 60],
    ['requests it has never been changed for', unseenRequests, 60],
  ])('has the right tool in the first five for nine of ten of %s', (_name, list, count) => {
    const labels = new Set(tools.map(labelOf));
    const checked = checkRequests(index, list);
    expect(checked).toHaveLength(count);
    expect(checked.filter(({ wanted }) => !labels.has(wanted))).toEqual([]);
    const { share, missed } = shareInFirstFive(list);
    expect(share, missed.join('\n')).toBeGreaterThanOrEqual(0.9);
  });

  it('is indexed and searched in no time that a person would notice', () => {
    const long = longer(tools);
    const building = leastCpu(5, () => createToolIndex(long.map(listedAnew)));
    const queries = checkRequests(index, requests).map(({ request }) => request);
    const searching = leastCpu(3, () => {
      for (const query of queries) index.search(query, 5);
    });
    // The aims are 100 ms and 5 ms; a machine that is busy or slow may need more.
    expect(building).toBeLessThan(250);
    expect(searching / queries.length).toBeLessThan(10);
  });

  it('costs a request the same few bytes, whatever is connected or found', async () => {
    const { deferred, offered } = deferTools(tools);
    expect(deferred).toBe(true);
    expect(estimateTokens(tools)).toBeGreaterThan(50_000);
    expect(estimateTokens(offered)).toBeLessThan(600);
    const before = JSON.stringify(offered);
    const context = { callId: 'c', signal: AbortSignal.any([]), onProgress: () => undefined };
    for (const query of ['send an email', '天气', ''])
      await offered[0]!.execute({ query, limit: 8 }, context);
    expect(JSON.stringify(offered)).toBe(before);
    expect(JSON.stringify(deferTools(tools.slice(0, 1000), { mode: 'always' }).offered)).toBe(
      before,
    );
  });
});

/** Real descriptions are often much longer than those of the corpus. */
function longer(short: Tool[]): Tool[] {
  return short.map((tool, at) => {
    const others = [1, 2, 3, 4, 5, 6].map(
      (step) => short[(at + step * 97) % short.length]?.description,
    );
    return { ...tool, description: [tool.description, ...others].join(' ') };
  });
}

/** A tool as a server would list it anew: nothing of it is known. */
function listedAnew(tool: Tool): Tool {
  return { ...tool, inputSchema: structuredClone(tool.inputSchema) };
}

/** Milliseconds of processor time, the least of several runs: other processes do not count. */
function leastCpu(times: number, work: () => void): number {
  return Math.min(...Array.from({ length: times }, () => cpuTime(work)));
}
