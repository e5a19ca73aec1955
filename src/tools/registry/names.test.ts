import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignToolNames, modelToolName, type ToolIdentity } from './names.ts';

const legal = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const anyName = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'a_',
    '_b',
    'a__b',
    'b',
    '时间',
    '文件系统',
    '🍒',
    '9lives',
    'mcp',
    'x'.repeat(200),
  ),
  fc.string({ maxLength: 220 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const identity: fc.Arbitrary<ToolIdentity> = fc.record({
  kind: fc.constantFrom('configured', 'session'),
  serverId: fc.constantFrom('s1', 's2', 's3'),
  serverName: anyName,
  toolName: anyName,
});

describe('modelToolName', () => {
  it('keeps ordinary names readable', () => {
    expect(modelToolName('configured', 'files', 'read_file')).toBe('mcp__files__read_file');
    expect(modelToolName('session', 'web-search', 'find')).toBe('web-search__find');
  });

  it('gives long, foreign and ambiguous names a digest, and keeps what is readable of them', () => {
    expect(modelToolName('configured', '文件系统', 'read')).toMatch(
      /^mcp__server__read_[0-9a-f]{10}$/,
    );
    expect(modelToolName('configured', 'my files', 'get.it')).toMatch(
      /^mcp__my_files__get_it_[0-9a-f]{10}$/,
    );
    expect(modelToolName('configured', 'a__b', 'c')).not.toBe(
      modelToolName('configured', 'a', 'b__c'),
    );
    expect(modelToolName('session', 'a_', 'b')).not.toBe(modelToolName('session', 'a', '_b'));
    expect(modelToolName('session', '9lives', 'go')).toMatch(/^_9lives__go_/);
  });

  it('is legal for every provider, whatever the names are', () => {
    fc.assert(
      fc.property(identity, ({ kind, serverName, toolName }) => {
        expect(modelToolName(kind, serverName, toolName)).toMatch(legal);
      }),
      { numRuns: 1000 },
    );
  });

  it('tells tools apart whose names have no letter it may keep, and never changes its mind', () => {
    const letters = Array.from('读写文件时间搜索天气東京こんにちは서울');
    const pairs = letters.flatMap((server) => letters.map((tool) => [server, tool] as const));
    const names = pairs.map(([server, tool]) => modelToolName('configured', server, tool));
    expect(new Set(names).size).toBe(pairs.length);
    for (const name of names) expect(name).toMatch(legal);
    expect(modelToolName('configured', '文件系统', '读取')).toBe('mcp__server__tool_e8f9b9edbc');
  });

  it('tells different tools apart', () => {
    fc.assert(
      fc.property(identity, identity, (a, b) => {
        const same =
          a.kind === b.kind && a.serverName === b.serverName && a.toolName === b.toolName;
        const [left, right] = [a, b].map((one) =>
          modelToolName(one.kind, one.serverName, one.toolName),
        );
        expect(left === right).toBe(same);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('assignToolNames', () => {
  it('gives every tool its own legal name and leads back to it', () => {
    fc.assert(
      fc.property(fc.array(identity, { maxLength: 40 }), (tools) => {
        const names = assignToolNames(tools);
        expect(names.size).toBe(tools.length);
        expect([...names.values()]).toEqual(tools);
        for (const name of names.keys()) expect(name).toMatch(legal);
      }),
    );
  });

  it('does not depend on the order of the list', () => {
    const key = (tool: ToolIdentity): string => JSON.stringify(tool);
    fc.assert(
      fc.property(
        fc
          .uniqueArray(identity, { selector: key, maxLength: 20 })
          .chain((tools) =>
            fc.tuple(fc.constant(tools), fc.shuffledSubarray(tools, { minLength: tools.length })),
          ),
        ([tools, shuffled]) => {
          const byTool = (names: Map<string, ToolIdentity>): Map<string, string> =>
            new Map([...names].map(([name, tool]) => [key(tool), name]));
          expect(byTool(assignToolNames(shuffled))).toEqual(byTool(assignToolNames(tools)));
        },
      ),
    );
  });

  it('never gives a reserved name, and still leads back', () => {
    fc.assert(
      fc.property(fc.array(identity, { minLength: 1, maxLength: 10 }), (tools) => {
        const reserved = new Set(assignToolNames(tools).keys());
        const names = assignToolNames(tools, reserved);
        expect(names.size).toBe(tools.length);
        expect([...names.values()]).toEqual(tools);
        for (const name of names.keys()) {
          expect(name).toMatch(legal);
          expect(reserved.has(name)).toBe(false);
        }
      }),
    );
  });

  it('changes only the names that collide when another server comes', () => {
    const tool = (serverId: string, serverName: string, toolName: string): ToolIdentity => ({
      kind: 'configured',
      serverId,
      serverName,
      toolName,
    });
    const first = [
      tool('1', 'files', 'read'),
      tool('1', 'files', 'write'),
      tool('2', 'web', 'read'),
    ];
    const names = [...assignToolNames([...first, tool('3', 'files', 'read')]).keys()];
    expect(names.slice(1, 3)).toEqual(['mcp__files__write', 'mcp__web__read']);
    expect(names[0]).toMatch(/^mcp__files__read_[0-9a-f]{10}$/);
    expect(names[3]).toMatch(/^mcp__files__read_[0-9a-f]{10}$/);
    expect(names[0]).not.toBe(names[3]);
  });
});
