import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogFlush } from '#store/database/log-flush.ts';
import type { NativeTool } from '#tools/registry/registry.ts';
import { temporaryHome } from './databases.ts';
import { calls, says, ScriptedModel } from './fakes/scripted-model.ts';
import { ask, openHost, owner } from './host.ts';

const model = 'test/scripted';
const read: NativeTool = {
  name: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  execute: async () => ({ content: [{ type: 'text', text: 'read' }] }),
};

/** Written once, when the answer ends: its blocks, and their words for the search. */
const foldsAnswer = /^insert into ("blocks"|"search"|search_index) /;

/** What a host looks for when it starts, which may fall into the answer. */
const startsHost = /^select ("blobs"."hash"|"owner" from "(usage|storage)_changes")/;

/** What is stored of providers and said of them. */
const readsProviders = /^select .* from "(providers|settings)" where "owner" = /;

/** A page in the log of SQLite, with its header. */
const frameBytes = 4_096 + 24;

/** What an answer takes. */
interface Cost {
  /** Durable ones. */
  commits: number;
  /** Waits for the disk. */
  flushes: number;
  statements: number;
  pages: number;
}

function cleanUpAfterTest(): (() => Promise<unknown>)[] {
  const cleanups: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  });
  return cleanups;
}

function watchStatements() {
  return (['run', 'all', 'get', 'iterate'] as const).map((name) =>
    vi.spyOn(StatementSync.prototype, name),
  );
}

/** What an answer takes that makes so many rounds with one call each. */
async function costOf(rounds: number): Promise<Cost> {
  const cleanups = cleanUpAfterTest();
  const script = Array.from({ length: rounds }, (_, n) => calls(['read', { n }]));
  const models = { [model]: new ScriptedModel(says('Hello.'), ...script, says('Done.')) };
  // No tick of the journal falls into the answer: it would count as one more or one less.
  const limits = { journalTick: 60_000, callsPerTurn: 100 };
  const place = await temporaryHome(cleanups);
  const host = await openHost(place, { models, tools: [read], limits });
  cleanups.push(() => host.close());
  // A first answer, so that what a host does when it starts is over.
  const first = await host.topics.create(owner, { model, title: 'First' });
  await ask(host, first.id, 'Hi.');
  const topic = await host.topics.create(owner, { model, title: 'Rounds' });
  const logBytes = () => statSync(join(place.home, 'cerise.db-wal')).size;
  const before = logBytes();
  const commits = vi.spyOn(host.store, 'transaction');
  const flushes = vi.spyOn(LogFlush.prototype, 'flush');
  const statements = watchStatements();
  try {
    await ask(host, topic.id, 'Go.');
    return {
      pages: (logBytes() - before) / frameBytes,
      commits: commits.mock.calls.filter(([, durability]) => durability !== 'relaxed').length,
      flushes: flushes.mock.calls.length,
      statements: statements
        .flatMap(({ mock }) => mock.contexts as StatementSync[])
        .filter(({ sourceSQL }) => !foldsAnswer.test(sourceSQL) && !startsHost.test(sourceSQL))
        .length,
    };
  } finally {
    vi.restoreAllMocks();
  }
}

describe('a round with one call that is allowed', () => {
  it('takes two durable commits, eight statements and six pages of the log', async () => {
    const [few, many] = [await costOf(4), await costOf(14)];
    expect((many.commits - few.commits) / 10).toBe(2);
    expect((many.statements - few.statements) / 10).toBe(8);
    // The log grows by whole pages: of the call and its indexes, of the journal, of the queue of the sums.
    expect((many.pages - few.pages) / 10).toBeLessThan(7);
  });
});

describe('a call outside of any chat that is allowed', () => {
  it('waits for the disk twice, and takes three statements', async () => {
    const cleanups = cleanUpAfterTest();
    const host = await openHost(await temporaryHome(cleanups));
    cleanups.push(() => host.close());
    const call = () => host.callTool(owner, 'calculator', 'calculate', { expression: '6*7' });
    // A first call, so that what a host does when it starts is over.
    await call();
    const flushes = vi.spyOn(LogFlush.prototype, 'flush');
    const statements = watchStatements();
    try {
      for (let n = 0; n < 5; n += 1) await call();
      expect(flushes).toHaveBeenCalledTimes(2 * 5);
      const asked = statements.flatMap(({ mock }) => mock.contexts as StatementSync[]);
      const ofCalls = asked.filter(({ sourceSQL }) => sourceSQL.includes('"tool_calls"'));
      // It is recorded, sent and ended.
      expect(ofCalls).toHaveLength(3 * 5);
      // Whether there is room for it is not asked each time.
      expect(asked.filter(({ sourceSQL }) => sourceSQL.includes('from "storage_sums"'))).toEqual(
        [],
      );
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('an answer', () => {
  it('waits for the disk with its commits only, and takes few statements beside its rounds', async () => {
    const { commits, flushes, statements } = await costOf(4);
    expect(flushes).toBe(commits);
    expect(statements - 4 * 8).toBeLessThanOrEqual(32);
  });

  it('finds a provider and all that is said of it with two statements', async () => {
    const cleanups = cleanUpAfterTest();
    const host = await openHost(await temporaryHome(cleanups));
    cleanups.push(() => host.close());
    const fields = { name: 'vendor', baseUrl: 'https://vendor.test/v1', models: ['m'] };
    await host.providers.create(owner, fields);
    const statements = watchStatements();
    try {
      expect(await host.providers.withKeys(owner, 'vendor')).toMatchObject([{ slug: 'vendor' }]);
      const asked = statements.flatMap(({ mock }) => mock.contexts as StatementSync[]);
      const ofIt = asked.filter(({ sourceSQL }) => readsProviders.test(sourceSQL));
      expect(ofIt).toHaveLength(2);
    } finally {
      vi.restoreAllMocks();
    }
  });
});
