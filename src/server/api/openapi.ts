import { z } from 'zod';
import { errorBodySchema } from '#shared/api/api.ts';
import type { Access } from './access.ts';
import manifest from '../../../package.json' with { type: 'json' };

/** A route as the document describes it. */
export interface RouteDescription {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  path: string;
  summary: string;
  access: Access;
  query?: z.ZodType;
  body?: z.ZodType;
  status?: number;
  response?: z.ZodType;
}

/** The OpenAPI 3.1 document of these routes, made from the schemas that also validate them. */
export function describeApi(routes: readonly RouteDescription[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const operations = (paths[path] ??= {});
    operations[route.method] = describeRoute(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cerise',
      version: manifest.version,
      description:
        'Chat with any model and use any MCP server. Every POST with a JSON body supports Idempotency-Key. Errors are {error: {code, message, hint?, details?}} with stable codes.',
    },
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'cerise_session' },
      },
      schemas: { Error: toSchema(errorBodySchema) },
    },
  };
}

function describeRoute(route: RouteDescription): object {
  const status = route.status ?? 200;
  const takesFile = route.access.body === 'bytes' || route.access.body === 'lines';
  const content = route.response && { 'application/json': { schema: toSchema(route.response) } };
  return {
    summary: route.summary,
    ...(route.access.public && { security: [] }),
    parameters: [...pathParameters(route.path), ...queryParameters(route.query)],
    ...(route.body && {
      requestBody: { content: { 'application/json': { schema: toSchema(route.body) } } },
    }),
    ...(takesFile && { requestBody: { required: true, content: fileContent } }),
    responses: {
      [status]: { description: 'Success', ...(content && { content }) },
      default: {
        description: 'Error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** A file as it is, or the only field of a form. */
const fileContent = {
  '*/*': {},
  'multipart/form-data': {
    schema: { type: 'object', properties: { file: {} }, required: ['file'] },
  },
};

function pathParameters(path: string): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | undefined): object[] {
  if (!(query instanceof z.ZodObject)) return [];
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: toSchema(schema as z.ZodType),
  }));
}

/** What refers to itself is "any JSON", for which the document has `{}`; a reference would lead nowhere. */
function toSchema(schema: z.ZodType): object {
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const { $schema: _, $defs: __, ...rest } = made;
  return JSON.parse(JSON.stringify(rest), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && '$ref' in value ? {} : value,
  ) as object;
}
