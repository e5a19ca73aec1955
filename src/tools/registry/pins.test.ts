import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definitionHash } from '#mcp/calls/definition-hash.ts';
import { toolList } from '#mcp/results/read-tools.ts';
import type { McpTool } from '#mcp/results/types.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { firstHash } from '#shared/text/pin-hash.ts';
import { approved } from '../../../test/fakes/mcp-servers.ts';
import { changedFailure, definitionOf, sortByPins } from './pins.ts';

const server = approved({ type: 'stdio', command: 'x' }, 's');
const read = (entry: JsonObject): McpTool => {
  const tool = toolList({ mirror: false }).read(entry, () => undefined);
  if (!tool) throw new Error('no tool');
  return tool;
};
const entry = {
  name: 'pay',
  title: 'Pay',
  description: 'Pays a bill.',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } } },
  annotations: { readOnlyHint: true, destructiveHint: false },
};

/** Where a definition lands whose pin was made of another one. */
function landing(pinned: McpTool, tool: McpTool, type?: 'inMemory') {
  const of = type ? { ...server, config: { type, name: 'x', builtin: 'x' } } : server;
  const pins = new Map([[pinned.name, definitionHash(pinned)]]);
  const sorted = sortByPins([{ server: of, tool }], (_, name) => pins.get(name));
  return Object.entries(sorted).find(([, list]) => list.length === 1)?.[0];
}

describe('a pinned tool', () => {
  it('stays approved while it says the same, in whatever order (T07)', () => {
    const { name, annotations, ...rest } = entry;
    expect(landing(read(entry), read({ annotations, ...rest, name, _meta: { at: 1 } }))).toBe(
      'approved',
    );
  });

  const changes = fc.oneof(
    fc.record({ field: fc.constant('description'), value: fc.string() }),
    fc.record({ field: fc.constant('title'), value: fc.string() }),
    fc.record({
      field: fc.constantFrom('inputSchema', 'outputSchema'),
      value: fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(
          fc.stringMatching(/^[a-z]{1,5}$/),
          fc.record({ type: fc.constantFrom('string', 'number'), description: fc.string() }),
          { maxKeys: 3 },
        ),
      }),
    }),
    fc.record({
      field: fc.constant('annotations'),
      value: fc.record({
        readOnlyHint: fc.boolean(),
        destructiveHint: fc.boolean(),
        openWorldHint: fc.boolean(),
      }),
    }),
    fc.record({
      field: fc.constant('icons'),
      value: fc.array(
        fc.record({
          src: fc.constantFrom('https://a.example/1', 'data:image/png;base64,AA', 'ftp://no'),
          theme: fc.constantFrom('light', 'dark', 'other'),
        }),
        { maxLength: 2 },
      ),
    }),
    fc.record({
      field: fc.constant('execution'),
      value: fc.record({ taskSupport: fc.constantFrom('optional', 'required', 'forbidden') }),
    }),
    fc.record({
      field: fc.constant('_meta'),
      value: fc.dictionary(
        fc.constantFrom('ui', 'ui/resourceUri', 'io.modelcontextprotocol/x', 'mine', 'a.b/c'),
        fc.oneof(fc.string(), fc.record({ visibility: fc.constantFrom('app', 'model') })),
      ),
    }),
  );

  it('needs approval again after a change of any one field (T07, T93)', () => {
    const pinned = read(entry);
    fc.assert(
      fc.property(changes, ({ field, value }) => {
        const tool = read({ ...entry, [field]: value });
        const same = JSON.stringify(definitionOf(tool)) === JSON.stringify(definitionOf(pinned));
        expect(landing(pinned, tool)).toBe(same ? 'approved' : 'changed');
        expect(landing(tool, tool)).toBe('approved');
      }),
      { numRuns: 500 },
    );
  });

  it('stays approved where only an older version pinned it, and is to be pinned anew (T93)', () => {
    const icons = [{ src: 'https://a.example/1' }];
    const pin = firstHash(definitionHash(read(entry)));
    const land = (tool: McpTool) => {
      const sorted = sortByPins([{ server, tool }], () => pin);
      return Object.entries(sorted).find(([, list]) => list.length === 1)?.[0];
    };
    expect(land(read(entry))).toBe('outdated');
    expect(land(read({ ...entry, icons }))).toBe('outdated');
    expect(land(read({ ...entry, title: 'Other' }))).toBe('changed');
  });

  it('shows a person everything that counts (T93)', () => {
    const icons = [{ src: 'https://a.example/1' }];
    const more = {
      icons,
      execution: { taskSupport: 'required' },
      _meta: { ui: { a: 1 }, mine: 2 },
    };
    expect(definitionOf(read({ ...entry, ...more }))).toEqual({
      ...entry,
      ...more,
      _meta: { ui: { a: 1 } },
    });
  });

  it('is fresh under a name that was never seen, and approved where it ships with Cerise', () => {
    expect(landing(read(entry), read({ ...entry, name: 'pay2' }))).toBe('fresh');
    expect(landing(read(entry), read({ ...entry, title: 'x' }), 'inMemory')).toBe('approved');
  });

  it('that cannot be used is neither pinned nor a change', () => {
    const broken = read({ ...entry, inputSchema: { $ref: 'http://elsewhere/' } });
    expect(broken.problem).toBeDefined();
    expect(landing(read({ ...entry, name: 'other' }), broken)).toBe('approved');
  });

  it('says what is missing and how to get it back', () => {
    expect(changedFailure({ server, tool: read(entry) })).toMatchObject({
      serverId: 's',
      error: { code: 'tool_changed', details: { toolName: 'pay' }, hint: expect.any(String) },
    });
  });
});
