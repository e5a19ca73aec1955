import { parseJson } from '#shared/vocabulary/json.ts';
import type { ModelMessage } from '#shared/vocabulary/model.ts';
import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import { fieldsOf, type Fields } from '../answers/event-data.ts';
import type { WireRequest, WireTarget } from './wire.ts';

/** The failure of an answer that is not in the vendor's own form. */
export function unreadable(message: string): Error {
  return Object.assign(new Error(message), { name: 'InvalidResponseData' });
}

/** What a vendor reported as an error inside an answer, in the form errors are judged by. */
export function reported(report: unknown): Error {
  return new Error('', { cause: report });
}

/** An address under a vendor's base URL, whose query is kept. */
export function endpoint(baseUrl: string, path: string): string {
  const [base = '', query] = baseUrl.split('?', 2);
  return `${base.replace(/\/+$/, '')}${path}${query === undefined ? '' : `?${query}`}`;
}

/**
 * Writes tool definitions, each once however often it is sent. The whole list is kept as well: from
 * round to round it is the same.
 */
export function createToolWriter(
  convert: (tool: ToolDefinition) => object,
): (tools: ToolDefinition[]) => string {
  const written = new WeakMap<ToolDefinition, string>();
  const lists = new WeakMap<ToolDefinition, { tools: ToolDefinition[]; json: string }>();
  function write(tool: ToolDefinition): string {
    const known = written.get(tool);
    if (known !== undefined) return known;
    const json = JSON.stringify(convert(tool));
    written.set(tool, json);
    return json;
  }
  return (tools) => {
    const [first] = tools;
    if (!first) return '[]';
    const known = lists.get(first);
    if (known && isSame(known.tools, tools)) return known.json;
    const json = `[${tools.map(write).join(',')}]`;
    lists.set(first, { tools: [...tools], json });
    return json;
  };
}

function isSame(known: ToolDefinition[], tools: ToolDefinition[]): boolean {
  return known.length === tools.length && known.every((tool, index) => tool === tools[index]);
}

/**
 * Writes a list of messages as a vendor wants them, each once however often it is sent: in a long turn
 * all but the newest are known. `convert` is told whether a message belongs to the present turn; what
 * it makes depends on its arguments alone. `first`, where there is one, begins the list.
 */
export function createMessageWriter(
  convert: (message: ModelMessage, target: WireTarget, inTurn: boolean) => object[],
): (messages: ModelMessage[], target: WireTarget, first?: object) => string {
  const written = new WeakMap<
    ModelMessage,
    { target: WireTarget; inTurn: boolean; json: string }
  >();
  function write(message: ModelMessage, target: WireTarget, inTurn: boolean): string {
    const known = written.get(message);
    if (known && known.target === target && known.inTurn === inTurn) return known.json;
    const json = JSON.stringify(convert(message, target, inTurn)).slice(1, -1);
    written.set(message, { target, inTurn, json });
    return json;
  }
  return (messages, target, first) => {
    const lastUser = messages.findLastIndex(({ role }) => role === 'user');
    const pieces = messages.map((message, index) => write(message, target, index > lastUser));
    if (first) pieces.unshift(JSON.stringify(first));
    return `[${pieces.filter((piece) => piece !== '').join()}]`;
  };
}

/** A request's body, with fields whose values are JSON already. */
export function withJson(body: object, fields: Record<string, string>): string {
  let text = JSON.stringify(body).slice(0, -1);
  // Added up, not joined: what was written once and is long is then not copied.
  for (const [name, json] of Object.entries(fields)) text += `,${JSON.stringify(name)}:${json}`;
  return `${text}}`;
}

/** A request to one of OpenAI's APIs, or to a compatible one. */
export function toOpenAiRequest(target: WireTarget, path: string, body: string): WireRequest {
  const { baseUrl, apiKey, headers } = target;
  return {
    url: endpoint(baseUrl, path),
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    body,
  };
}

/** What a vendor attached to a part, as it was kept; no fields when it is not ours to read. */
export function parseSignature(signature: string | undefined): Fields {
  return signature === undefined ? {} : fieldsOf(parseJson(signature));
}
