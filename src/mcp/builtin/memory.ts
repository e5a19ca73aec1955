import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { Origin } from '#shared/vocabulary/origin.ts';
import type { KnowledgeGraph, MemoryPort } from '#shared/vocabulary/ports.ts';
import type { BuiltinContext } from './toolkit/context.ts';
import { originsOf, withOrigins } from './toolkit/tool-origins.ts';
import { newServer } from './toolkit/new-server.ts';
import { adds, destroys, readOnly, textResult } from './toolkit/tool-result.ts';

type Entity = KnowledgeGraph['entities'][number];
type Relation = KnowledgeGraph['relations'][number];

/** The whole graph is one stored value that the model may ask for, so it stays small. */
const maxGraphChars = 4 * 1024 * 1024;

const name = z.string().min(1).max(500);
const observation = z.string().min(1).max(20_000);
const entitySchema = z.object({
  name: name.describe('Unique name, e.g. "Ada_Lovelace"'),
  entityType: name.describe('Type, e.g. person, project, preference'),
  observations: z.array(observation).max(500).describe('Facts, one sentence each'),
});
const relationSchema = z.object({
  from: name.describe('Name of the entity the relation starts at'),
  to: name.describe('Name of the entity it leads to'),
  relationType: name.describe('In active voice, e.g. "works at"'),
});
const graphSchema = z.object({
  entities: z.array(entitySchema),
  relations: z.array(relationSchema),
});

/** The server `memory`: a knowledge graph that outlives the conversation. */
export function createMemoryServer({ memory }: Pick<BuiltinContext, 'memory'>): McpServer {
  const server = newServer(
    'memory',
    'Memory',
    "Search the memory before saying you don't know something about the user. Store lasting facts.",
  );
  const change: Change = (edit, origins) =>
    memory.update((graph) => withinLimit(edit(graph)), origins);
  registerCreation(server, change);
  registerDeletion(server, change);
  registerReading(server, memory);
  return server;
}

/** `origins`: of untrusted words in what is added. */
type Change = (
  edit: (graph: KnowledgeGraph) => KnowledgeGraph,
  origins?: readonly Origin[],
) => Promise<KnowledgeGraph>;

function registerCreation(server: McpServer, change: Change): void {
  server.registerTool(
    'create_entities',
    {
      title: 'Remember entities',
      description:
        'Adds entities to the memory. Entities whose name already exists are left unchanged.',
      inputSchema: z.object({ entities: z.array(entitySchema).min(1).max(200) }),
      outputSchema: z.object({ entities: z.array(entitySchema) }),
      annotations: adds,
    },
    async ({ entities }, context) => {
      let added: Entity[] = [];
      await change((graph) => {
        added = newOnes(entities, graph.entities, (entity) => entity.name);
        return { ...graph, entities: [...graph.entities, ...added] };
      }, originsOf(context));
      return jsonResult({ entities: added });
    },
  );
  server.registerTool(
    'create_relations',
    {
      title: 'Remember relations',
      description: 'Adds relations between entities. Existing relations are left unchanged.',
      inputSchema: z.object({ relations: z.array(relationSchema).min(1).max(500) }),
      outputSchema: z.object({ relations: z.array(relationSchema) }),
      annotations: adds,
    },
    async ({ relations }, context) => {
      let added: Relation[] = [];
      await change((graph) => {
        added = newOnes(relations, graph.relations, relationKey);
        return { ...graph, relations: [...graph.relations, ...added] };
      }, originsOf(context));
      return jsonResult({ relations: added });
    },
  );
  const results = z.array(
    z.object({ entityName: z.string(), addedObservations: z.array(z.string()) }),
  );
  server.registerTool(
    'add_observations',
    {
      title: 'Remember facts',
      description: 'Adds facts to entities that already exist in the memory.',
      inputSchema: z.object({
        observations: z
          .array(z.object({ entityName: name, contents: z.array(observation).min(1).max(500) }))
          .min(1)
          .max(200),
      }),
      outputSchema: z.object({ results }),
      annotations: adds,
    },
    async ({ observations }, context) => {
      let added: z.infer<typeof results> = [];
      await change((graph) => {
        const changed = structuredClone(graph);
        added = observations.map(({ entityName, contents }) => {
          const entity = findEntity(changed, entityName);
          const addedObservations = newOnes(contents, entity.observations, (text) => text);
          entity.observations.push(...addedObservations);
          return { entityName, addedObservations };
        });
        return changed;
      }, originsOf(context));
      return jsonResult({ results: added });
    },
  );
}

function registerDeletion(server: McpServer, change: Change): void {
  const annotations = { ...destroys, idempotentHint: true };
  server.registerTool(
    'delete_entities',
    {
      title: 'Forget entities',
      description: 'Removes entities and all their relations.',
      inputSchema: z.object({ entityNames: z.array(name).min(1).max(500) }),
      annotations,
    },
    async ({ entityNames }) => {
      const gone = new Set(entityNames);
      await change(({ entities, relations }) => ({
        entities: entities.filter((entity) => !gone.has(entity.name)),
        relations: relations.filter(({ from, to }) => !gone.has(from) && !gone.has(to)),
      }));
      return textResult('Deleted the entities and their relations.');
    },
  );
  server.registerTool(
    'delete_observations',
    {
      title: 'Forget facts',
      description: 'Removes facts from entities, by their exact text.',
      inputSchema: z.object({
        deletions: z
          .array(z.object({ entityName: name, observations: z.array(observation).max(500) }))
          .min(1)
          .max(200),
      }),
      annotations,
    },
    async ({ deletions }) => {
      await change((graph) => {
        const changed = structuredClone(graph);
        for (const { entityName, observations } of deletions) {
          const entity = changed.entities.find((candidate) => candidate.name === entityName);
          if (!entity) continue;
          const gone = new Set(observations);
          entity.observations = entity.observations.filter((text) => !gone.has(text));
        }
        return changed;
      });
      return textResult('Deleted the facts.');
    },
  );
  server.registerTool(
    'delete_relations',
    {
      title: 'Forget relations',
      description: 'Removes relations between entities.',
      inputSchema: z.object({ relations: z.array(relationSchema).min(1).max(500) }),
      annotations,
    },
    async ({ relations }) => {
      const gone = new Set(relations.map(relationKey));
      await change((graph) => ({
        ...graph,
        relations: graph.relations.filter((relation) => !gone.has(relationKey(relation))),
      }));
      return textResult('Deleted the relations.');
    },
  );
}

function registerReading(server: McpServer, memory: MemoryPort): void {
  const common = { outputSchema: graphSchema, annotations: readOnly };
  const recalled = async (graph: KnowledgeGraph) =>
    withOrigins(jsonResult({ ...graph }), await memory.originsOf(graph));
  server.registerTool(
    'read_graph',
    { ...common, title: 'Read the memory', description: 'Returns the whole knowledge graph.' },
    async () => recalled(await memory.read()),
  );
  server.registerTool(
    'search_nodes',
    {
      ...common,
      title: 'Search the memory',
      description:
        'Finds entities whose name, type or facts contain every word of the query, with their relations.',
      inputSchema: z.object({ query: z.string().min(1).max(1000).describe('Words to look for') }),
    },
    async ({ query }) => {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      return recalled(
        subgraph(await memory.read(), (entity) => {
          const text = [entity.name, entity.entityType, ...entity.observations].join('\n');
          const lower = text.toLowerCase();
          return words.every((word) => lower.includes(word));
        }),
      );
    },
  );
  server.registerTool(
    'open_nodes',
    {
      ...common,
      title: 'Recall entities',
      description: 'Returns the named entities with their relations.',
      inputSchema: z.object({ names: z.array(name).min(1).max(500) }),
    },
    async ({ names }) => {
      const wanted = new Set(names);
      return recalled(subgraph(await memory.read(), (entity) => wanted.has(entity.name)));
    },
  );
}

function subgraph(
  graph: KnowledgeGraph,
  wanted: (entity: Entity) => boolean,
): { entities: Entity[]; relations: Relation[] } {
  const entities = graph.entities.filter(wanted);
  const names = new Set(entities.map((entity) => entity.name));
  const relations = graph.relations.filter(({ from, to }) => names.has(from) || names.has(to));
  return { entities, relations };
}

function findEntity(graph: KnowledgeGraph, entityName: string): Entity {
  const entity = graph.entities.find((candidate) => candidate.name === entityName);
  if (entity) return entity;
  throw new CeriseError(
    'invalid_arguments',
    say(
      'memory-no-entity',
    )`The memory has no entity named "${entityName}". Create it first with create_entities.`,
  );
}

/** Those of `wanted` whose key is neither known nor repeated. */
function newOnes<T>(wanted: T[], known: T[], key: (item: T) => string): T[] {
  const seen = new Set(known.map(key));
  return wanted.filter((item) => !seen.has(key(item)) && seen.add(key(item)));
}

function relationKey({ from, to, relationType }: Relation): string {
  return JSON.stringify([from, relationType, to]);
}

function withinLimit(graph: KnowledgeGraph): KnowledgeGraph {
  if (JSON.stringify(graph).length <= maxGraphChars) return graph;
  throw new CeriseError(
    'result_too_large',
    say('memory-full')`The memory is full (4 MiB). Delete something first.`,
  );
}

function jsonResult(value: JsonObject): ReturnType<typeof textResult> {
  return textResult(JSON.stringify(value, null, 2), value);
}
