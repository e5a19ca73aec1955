import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';

const schemaUri = 'https://json-schema.org/draft/2020-12/schema';

/** Schemas in the shapes that servers in use send: plain, nested, referring, with alternatives. */
const schemas: JsonObject[] = [
  {
    $schema: schemaUri,
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The file, relative to the root of the repository' },
      head: { type: 'integer', minimum: 1, description: 'Only so many lines from the beginning' },
      tail: { type: 'integer', minimum: 1, description: 'Only so many lines from the end' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  { $schema: schemaUri, type: 'object', properties: {} },
  {
    $schema: schemaUri,
    type: 'object',
    properties: {
      owner: { type: 'string', minLength: 1, description: 'Who owns the repository' },
      repo: { type: 'string', minLength: 1, description: 'The name of the repository' },
      state: { type: 'string', enum: ['open', 'closed', 'all'], default: 'open' },
      labels: {
        type: 'array',
        items: { type: 'string' },
        maxItems: 20,
        description: 'All of them',
      },
      since: { type: 'string', format: 'date-time', description: 'Changed after this time' },
      page: { type: 'integer', minimum: 1, default: 1 },
      perPage: { type: 'integer', minimum: 1, maximum: 100, default: 30 },
    },
    required: ['owner', 'repo'],
    additionalProperties: false,
  },
  {
    type: 'object',
    properties: {
      edits: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            oldText: { type: 'string', description: 'Text to look for, exactly as it stands' },
            newText: { type: 'string', description: 'What to put in its place' },
          },
          required: ['oldText', 'newText'],
          additionalProperties: false,
        },
      },
      dryRun: { type: 'boolean', default: false, description: 'Show the difference only' },
    },
    required: ['edits'],
  },
  {
    $defs: {
      node: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          weight: { anyOf: [{ type: 'number' }, { type: 'null' }], default: null },
        },
        required: ['name'],
      },
    },
    type: 'object',
    properties: {
      from: { $ref: '#/$defs/node' },
      to: { $ref: '#/$defs/node' },
      kind: { const: 'edge' },
    },
    required: ['from', 'to'],
    title: 'ConnectArguments',
  },
  {
    type: 'object',
    properties: {
      target: {
        oneOf: [
          { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
          { type: 'object', properties: { url: { type: 'string', format: 'uri' } } },
        ],
      },
      timeout: { type: ['integer', 'null'], minimum: 0, maximum: 600_000 },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['target'],
  },
];

const verbs = ['list', 'read', 'search', 'create', 'update', 'delete', 'compare', 'export'];
const things = ['issues', 'files', 'events', 'invoices', 'pages', 'tables', 'branches', 'users'];

/** So many tools, as they come from a server: no part of one is the same object as a part of another. */
export function makeTools(count: number): ToolDefinition[] {
  const tools = Array.from({ length: count }, (_, index) => {
    const verb = verbs[index % verbs.length];
    const thing = things[Math.floor(index / verbs.length) % things.length];
    return {
      name: `mcp__server_${index % 10}__${verb}_${thing}_${index}`,
      description:
        `Use it to ${verb} ${thing} of the workspace. Returns at most 100 entries, newest first, each ` +
        `with its identifier, which the other tools for ${thing} take. Fails if the workspace is locked.`,
      inputSchema: schemas[index % schemas.length],
    };
  });
  return JSON.parse(JSON.stringify(tools)) as ToolDefinition[];
}
