import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryServer } from './memory.ts';
import { callTool, connectClient, testContext } from '../../../test/fakes/builtin-client.ts';

let client: Client;
beforeEach(async () => {
  client = await connectClient(createMemoryServer(testContext()));
  await callTool(client, 'create_entities', {
    entities: [
      { name: 'Ada', entityType: 'person', observations: ['likes cherries', 'lives in London'] },
      { name: 'Engine', entityType: 'machine', observations: [] },
      { name: '小明', entityType: '朋友', observations: ['喜欢樱桃'] },
    ],
  });
  await callTool(client, 'create_relations', {
    relations: [{ from: 'Ada', to: 'Engine', relationType: 'programs' }],
  });
});
afterEach(() => client.close());

async function graph(): Promise<unknown> {
  return (await callTool(client, 'read_graph')).structured;
}

describe('the memory', () => {
  it('has the nine tools of the reference server', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'add_observations',
      'create_entities',
      'create_relations',
      'delete_entities',
      'delete_observations',
      'delete_relations',
      'open_nodes',
      'read_graph',
      'search_nodes',
    ]);
  });

  it('keeps what is known and adds only what is new', async () => {
    const again = await callTool(client, 'create_entities', {
      entities: [
        { name: 'Ada', entityType: 'cat', observations: [] },
        { name: '__proto__', entityType: 'word', observations: ['x'] },
        { name: '__proto__', entityType: 'word', observations: ['y'] },
      ],
    });
    expect(again.structured).toEqual({
      entities: [{ name: '__proto__', entityType: 'word', observations: ['x'] }],
    });
    const relation = { from: 'Ada', to: 'Engine', relationType: 'programs' };
    const relations = await callTool(client, 'create_relations', { relations: [relation] });
    expect(relations.structured).toEqual({ relations: [] });
    expect(await graph()).toMatchObject({ entities: { length: 4 }, relations: [relation] });
  });

  it('adds facts once, and none at all when an entity is unknown', async () => {
    const facts = { entityName: 'Ada', contents: ['likes cherries', 'plays chess'] };
    const added = await callTool(client, 'add_observations', { observations: [facts] });
    expect(added.structured).toEqual({
      results: [{ entityName: 'Ada', addedObservations: ['plays chess'] }],
    });
    const failed = await callTool(client, 'add_observations', {
      observations: [
        { entityName: 'Engine', contents: ['is large'] },
        { entityName: 'Nobody', contents: ['x'] },
      ],
    });
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain('create_entities');
    const { structured } = await callTool(client, 'open_nodes', { names: ['Engine'] });
    expect(structured).toMatchObject({ entities: [{ name: 'Engine', observations: [] }] });
  });

  it('finds entities by all words of the query, in any script, with their relations', async () => {
    const found = await callTool(client, 'search_nodes', { query: 'LONDON person' });
    expect(found.structured).toMatchObject({
      entities: [{ name: 'Ada' }],
      relations: [{ to: 'Engine' }],
    });
    const chinese = await callTool(client, 'search_nodes', { query: '樱桃' });
    expect(chinese.structured).toMatchObject({ entities: [{ name: '小明' }], relations: [] });
    const nothing = await callTool(client, 'search_nodes', { query: 'London machine' });
    expect(nothing.structured).toEqual({ entities: [], relations: [] });
  });

  it('forgets facts, relations and entities with what hangs on them', async () => {
    await callTool(client, 'delete_observations', {
      deletions: [{ entityName: 'Ada', observations: ['likes cherries'] }],
    });
    const { structured } = await callTool(client, 'open_nodes', { names: ['Ada'] });
    expect(structured).toMatchObject({ entities: [{ observations: ['lives in London'] }] });
    await callTool(client, 'delete_entities', { entityNames: ['Engine'] });
    expect(await graph()).toMatchObject({ entities: { length: 2 }, relations: [] });
    const relation = { from: 'Ada', to: '小明', relationType: 'knows' };
    await callTool(client, 'create_relations', { relations: [relation] });
    await callTool(client, 'delete_relations', { relations: [relation] });
    expect(await graph()).toMatchObject({ relations: [] });
  });

  it('refuses to grow without end', async () => {
    const contents = Array.from({ length: 250 }, (_, index) => `${index}`.padEnd(20_000, 'x'));
    const full = await callTool(client, 'add_observations', {
      observations: [{ entityName: 'Ada', contents }],
    });
    expect(full.isError).toBe(true);
    expect(full.text).toContain('full');
    expect(JSON.stringify(await graph()).length).toBeLessThan(1000);
  });
});
