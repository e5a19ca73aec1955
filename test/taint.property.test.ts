import fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTaintHost, type TaintHost, type Wanted } from './fixtures/taint.ts';

/*
 * Random conversations that read, keep and pass on words, beside a reference that follows the words
 * themselves: which topics, entities, names and contents of files hold any of a stranger. Nothing is
 * missed, and what was not touched stays clean.
 */

const topics = ['t0', 't1', 't2'] as const;
const things = ['A', 'B', 'C'] as const;
const paths = ['p', 'q', 'r'] as const;
const topic = fc.constantFrom(...topics);
const thing = fc.constantFrom(...things);
const path = fc.constantFrom(...paths);

type Step =
  | { do: 'stranger' | 'calculate' | 'list' | 'graph'; topic: string }
  | { do: 'remember' | 'forget' | 'recall' | 'observe'; topic: string; thing: string }
  | { do: 'write' | 'edit' | 'read'; topic: string; path: string }
  | { do: 'move'; topic: string; path: string; to: string }
  | { do: 'outside'; path: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('calculate', 'list', 'graph'), topic } as const),
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stranger' as const), topic }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('remember', 'forget', 'recall', 'observe'),
      topic,
      thing,
    } as const),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('write', 'edit', 'read'), topic, path } as const),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), topic, path, to: path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('outside' as const), path }) },
);

/** Which words are a stranger's. Every write says something new, so that no two are the same. */
class Reference {
  readonly tainted = new Set<string>();
  readonly graph = new Map<string, boolean[]>();
  readonly files = new Map<string, boolean>();
  /** Names stay what they were when they were first said, until somebody trusted says them. */
  readonly names = new Map<string, boolean>();

  /** Whether the result of the step holds words of a stranger. */
  apply(one: Step): boolean {
    if (one.do === 'outside') {
      this.files.set(one.path, true);
      if (!this.names.has(one.path)) this.names.set(one.path, true);
      return false;
    }
    const dirty = this.tainted.has(one.topic);
    const brings = this.#bring(one, dirty);
    if (brings) this.tainted.add(one.topic);
    return brings;
  }

  #bring(one: Exclude<Step, { do: 'outside' }>, dirty: boolean): boolean {
    const { graph, files, names } = this;
    const say = (name: string) => {
      if (!dirty) names.set(name, false);
      else if (!names.has(name)) names.set(name, true);
    };
    switch (one.do) {
      case 'stranger':
        return true;
      case 'calculate':
        return false;
      case 'list':
        return [...files.keys()].some((name) => names.get(name));
      case 'graph':
        return [...graph.values()].flat().includes(true);
      case 'remember':
        if (!graph.has(one.thing)) graph.set(one.thing, [dirty]);
        return false;
      case 'observe':
        graph.get(one.thing)?.push(dirty);
        return false;
      case 'forget':
        graph.delete(one.thing);
        return false;
      case 'recall':
        return graph.get(one.thing)?.includes(true) ?? false;
      case 'write':
        files.set(one.path, dirty);
        say(one.path);
        return false;
      case 'edit':
        if (files.has(one.path)) files.set(one.path, dirty || files.get(one.path) === true);
        return false;
      case 'read':
        return files.get(one.path) ?? false;
      case 'move': {
        say(one.to);
        const content = files.get(one.path);
        if (content === undefined || files.has(one.to)) return false;
        files.delete(one.path);
        files.set(one.to, content);
        return false;
      }
    }
  }
}

/** The call that a step makes; `n` makes its words new. */
function callOf(one: Exclude<Step, { do: 'outside' }>, n: number): Wanted {
  const inFolder = (name: string) => `f/${name}`;
  switch (one.do) {
    case 'stranger':
      return ['mcp__stranger__read', {}];
    case 'calculate':
      return ['mcp__calculator__calculate', { expression: `1+${n}` }];
    case 'list':
      return ['mcp__filesystem__list_directory', { path: 'f' }];
    case 'graph':
      return ['mcp__memory__read_graph', {}];
    case 'remember': {
      const entities = [{ name: one.thing, entityType: `kind ${n}`, observations: [] }];
      return ['mcp__memory__create_entities', { entities }];
    }
    case 'observe': {
      const observations = [{ entityName: one.thing, contents: [`fact ${n}`] }];
      return ['mcp__memory__add_observations', { observations }];
    }
    case 'forget':
      return ['mcp__memory__delete_entities', { entityNames: [one.thing] }];
    case 'recall':
      return ['mcp__memory__open_nodes', { names: [one.thing] }];
    case 'write':
      return ['mcp__filesystem__write_file', { path: inFolder(one.path), content: `#${n}.` }];
    case 'edit': {
      const edits = [{ oldText: '.', newText: ` and ${n}.` }];
      return ['mcp__filesystem__edit_file', { path: inFolder(one.path), edits }];
    }
    case 'read':
      return ['mcp__filesystem__read_text_file', { path: inFolder(one.path) }];
    case 'move': {
      const [source, destination] = [inFolder(one.path), inFolder(one.to)];
      return ['mcp__filesystem__move_file', { source, destination }];
    }
  }
}

async function run({ newTopic, turn }: TaintHost, home: string, steps: Step[]): Promise<void> {
  const ids = new Map<string, string>();
  for (const name of topics) ids.set(name, await newTopic());
  const reference = new Reference();
  await turn(ids.get('t0') ?? '', ['mcp__filesystem__create_directory', { path: 'f' }]);
  for (const [n, one] of steps.entries()) {
    const expected = reference.apply(one);
    if (one.do === 'outside') {
      await writeFile(join(home, 'workspace/f', one.path), `outside ${n}.`);
      continue;
    }
    const [block] = await turn(ids.get(one.topic) ?? '', callOf(one, n));
    expect({ n, one, brings: block?.untrusted === true }).toEqual({ n, one, brings: expected });
  }
}

it('T91: untrusted words are followed wherever they go, and nothing else is suspected', async () => {
  const bounds = { numRuns: 8, interruptAfterTimeLimit: 25_000, markInterruptAsFailure: false };
  const program = fc.array(step, { minLength: 10, maxLength: 24 });
  await fc.assert(
    fc.asyncProperty(program, async (steps) => {
      const home = await mkdtemp(join(tmpdir(), 'cerise-taint-'));
      const place = await openTaintHost({ home });
      try {
        await run(place, home, steps);
      } finally {
        await place.host.close();
        await rm(home, { recursive: true, force: true, maxRetries: 10 });
      }
    }),
    bounds,
  );
}, 60_000);
