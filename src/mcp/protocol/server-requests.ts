import { CeriseError } from '#shared/errors/errors.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { say } from '#shared/errors/sentence.ts';
import { truncate } from '#shared/text/text.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type {
  FormSchema,
  RequestAnswers,
  RequestContext,
} from '#shared/vocabulary/server-request.ts';
import { RpcError } from './messages.ts';

const maxMessageChars = 4096;
const maxUrlChars = 8192;
const maxFields = 100;

/**
 * Answers one request of a server, whichever way it came: as a request of its own (legacy) or inside
 * an `input_required` result (modern). Throws RpcError for what we do not do.
 */
export async function answerServer(
  method: string,
  params: JsonObject,
  answers: RequestAnswers | undefined,
  context: RequestContext,
): Promise<JsonObject> {
  if (method === 'ping') return {};
  if (answers) {
    if (method === 'roots/list')
      return { roots: (await answers.roots(context)).map((root) => ({ ...root })) };
    if (method === 'sampling/createMessage') return { ...(await answers.sample(params, context)) };
    if (method === 'elicitation/create') return elicit(params, answers, context);
  }
  throw new RpcError({ code: rpcCode.methodNotFound, message: 'Method not found' });
}

async function elicit(
  params: JsonObject,
  answers: RequestAnswers,
  context: RequestContext,
): Promise<JsonObject> {
  const message = truncate(
    typeof params.message === 'string' ? params.message : '',
    maxMessageChars,
  );
  if (params.mode === 'url') {
    const { url, elicitationId } = params;
    const request = {
      kind: 'url' as const,
      message,
      url: readUrl(url),
      ...(typeof elicitationId === 'string' && { elicitationId }),
    };
    const { action } = await answers.elicit(request, context);
    return { action };
  }
  const schema = readForm(params.requestedSchema);
  const answer = await answers.elicit({ kind: 'form', message, schema }, context);
  if (answer.action !== 'accept') return { action: answer.action };
  return { action: 'accept', content: withDefaults(schema, answer.content ?? {}) };
}

/** Only addresses a person can be sent to; anything else is the server's mistake. */
function readUrl(value: unknown): string {
  const url = typeof value === 'string' && value.length <= maxUrlChars ? URL.parse(value) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
  throw invalid('The URL to open must be an http or https URL.');
}

function readForm(value: unknown): FormSchema {
  if (!isJsonObject(value) || !isJsonObject(value.properties))
    throw invalid('The form has no fields.');
  const fields = Object.entries(value.properties).filter(
    (field): field is [string, JsonObject] => isJsonObject(field[1]) && field[0] !== '__proto__',
  );
  if (fields.length > maxFields) throw invalid(`A form can have up to ${maxFields} fields.`);
  const required = Array.isArray(value.required)
    ? value.required.filter((name): name is string => typeof name === 'string')
    : [];
  return { type: 'object', properties: Object.fromEntries(fields), required };
}

/** What the person left open takes the server's default. */
function withDefaults({ properties }: FormSchema, content: JsonObject): JsonObject {
  const filled = { ...content };
  for (const [name, field] of Object.entries(properties)) {
    if (!Object.hasOwn(filled, name) && field.default !== undefined) filled[name] = field.default;
  }
  return filled;
}

function invalid(message: string): RpcError {
  return new RpcError({ code: rpcCode.invalidParams, message });
}

/** The inputs a result asks for, by the server's own keys. Throws CeriseError. */
export function readInputRequests(
  value: unknown,
): [key: string, request: { method: string; params: JsonObject }][] {
  if (value === undefined) return [];
  if (!isJsonObject(value)) throw unreadable();
  return Object.entries(value).map(([key, request]) => {
    if (!isJsonObject(request) || typeof request.method !== 'string') throw unreadable();
    const params = isJsonObject(request.params) ? request.params : {};
    return [key, { method: request.method, params }];
  });
}

function unreadable(): CeriseError {
  return new CeriseError(
    'unreadable_response',
    say('request-unreadable')`The server's request can't be read.`,
  );
}
