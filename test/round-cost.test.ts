import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

/** A page in the log of SQLite, with its header. */
const frameBytes = 4_096 + 24;

/** How many durable commits, statements and pages an answer takes that makes so many rounds with one call each. */
async function costOf(
  rounds: number,
): Promise<{ commits: number; statements: number; pages: number }> {
  const cleanups: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  });
  const script = Array.from({ length: rounds }, (_, n) => calls(['read', { n }]));
  const models = { [model]: new ScriptedModel(...script, says('Done.')) };
  // No tick of the journal falls into the answer: it would count as one more or one less.
  const limits = { journalTick: 60_000, callsPerTurn: 100 };
  const place = await temporaryHome(cleanups);
  const host = await openHost(place, { models, tools: [read], limits });
  cleanups.push(() => host.close());
  const topic = await host.topics.create(owner, { model, title: 'Rounds' });
  const logBytes = () => statSync(join(place.home, 'cerise.db-wal')).size;
  const before = logBytes();
  const commits = vi.spyOn(host.store, 'transaction');
  const statements = (['run', 'all', 'get', 'iterate'] as const).map((name) =>
    vi.spyOn(StatementSync.prototype, name),
  );
  try {
    await ask(host, topic.id, 'Go.');
    return {
      pages: (logBytes() - before) / frameBytes,
      commits: commits.mock.calls.filter(([, durability]) => durability !== 'relaxed').length,
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
