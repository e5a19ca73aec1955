import { describe, expect, it } from 'vitest';
import { textOf } from '#shared/errors/sentence.ts';
import { toolList } from './read-tools.ts';

function read(entry: unknown, mirror = false) {
  const notes: string[] = [];
  return { tool: toolList({ mirror }).read(entry, (text) => notes.push(text)), notes };
}

describe('toolList', () => {
  it('reads everything a tool says of itself', () => {
    const entry = {
      name: 'draw',
      title: 'Draw',
      description: 'Draws.',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'array' },
      annotations: { title: 'Other', readOnlyHint: true, openWorldHint: false, other: 1 },
      execution: { taskSupport: 'optional' },
      icons: [
        { src: 'https://x/i.png', mimeType: 'image/png', sizes: ['48x48', 3], theme: 'dark' },
      ],
      _meta: { ui: { resourceUri: 'ui://x' } },
    };
    const { tool, notes } = read(entry);
    expect(tool).toEqual({
      name: 'draw',
      title: 'Draw',
      description: 'Draws.',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'array' },
      annotations: { title: 'Other', readOnlyHint: true, openWorldHint: false },
      taskSupport: 'optional',
      icons: [{ src: 'https://x/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }],
      meta: { ui: { resourceUri: 'ui://x' } },
    });
    expect(notes).toEqual([]);
  });

  it('reads a bare name, and shows the title of the annotations', () => {
    expect(read({ name: 'a' }).tool).toEqual({
      name: 'a',
      description: '',
      inputSchema: {},
      annotations: {},
    });
    expect(read({ name: 'a', annotations: { title: 'A' } }).tool?.title).toBe('A');
  });

  it('passes over fields of the wrong kind', () => {
    const { tool } = read({
      name: 'a',
      title: 3,
      description: {},
      inputSchema: [],
      annotations: { readOnlyHint: 'yes' },
      execution: { taskSupport: 'forbidden' },
      icons: [{ src: 'javascript:alert(1)' }, { src: 'http://x/' }, 'x', null],
      _meta: [],
    });
    expect(tool).toEqual({ name: 'a', description: '', inputSchema: {}, annotations: {} });
  });

  it.each([null, 'x', [], {}, { name: '' }, { name: 3 }, { name: 'x'.repeat(257) }])(
    'leaves out %j',
    (entry) => {
      const { tool, notes } = read(entry);
      expect(tool).toBeUndefined();
      expect(notes).toHaveLength(1);
    },
  );

  it('T45 quarantines a tool whose schema is out of bounds, and checks no result by such a one', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    const { tool, notes } = read({ name: 'deep', inputSchema: deep, _meta: deep });
    expect(tool).toMatchObject({ name: 'deep', inputSchema: {} });
    expect(textOf(tool?.problem ?? '')).toContain('levels deep');
    expect(tool).not.toHaveProperty('meta');
    expect(notes).toHaveLength(1);
    const output = read({ name: 'deep', outputSchema: deep });
    expect(output.tool).not.toHaveProperty('outputSchema');
    expect(output.tool).not.toHaveProperty('problem');
    expect(output.notes[0]).toContain('not checked');
  });

  it('T46 takes names of the prototype for ordinary names', () => {
    for (const name of ['__proto__', 'toString', 'constructor']) {
      expect(read({ name }).tool?.name).toBe(name);
    }
    const entry: unknown = JSON.parse('{"name": "a", "__proto__": {"title": "polluted"}}');
    expect(read(entry).tool).not.toHaveProperty('title');
  });

  it('reads marks for headers where they are wanted, and leaves out tools with wrong ones', () => {
    const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } };
    const good = { name: 'good', inputSchema: { properties } };
    expect(read(good, true).tool?.mirrored).toEqual([
      { header: 'Mcp-Param-Region', path: ['region'] },
    ]);
    expect(read(good).tool).not.toHaveProperty('mirrored');
    const bad = { name: 'bad', inputSchema: { items: properties.region } };
    expect(read(bad, true).tool).toBeUndefined();
    expect(read(bad, true).notes[0]).toContain('bad was left out');
    expect(read(bad).tool?.name).toBe('bad');
  });
});
