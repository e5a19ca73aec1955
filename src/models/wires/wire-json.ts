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
): (tools: ToolDefinition[]) => Buffer {
  const written = new WeakMap<ToolDefinition, string>();
  const lists = new WeakMap<ToolDefinition, { tools: ToolDefinition[]; json: Buffer }>();
  function write(tool: ToolDefinition): string {
    const known = written.get(tool);
    if (known !== undefined) return known;
    const json = JSON.stringify(convert(tool));
    written.set(tool, json);
    return json;
  }
  return (tools) => {
    const [first] = tools;
    if (!first) return Buffer.from('[]');
    const known = lists.get(first);
    if (known && isSame(known.tools, tools)) return known.json;
    const json = Buffer.from(`[${tools.map(write).join(',')}]`);
    lists.set(first, { tools: [...tools], json });
    return json;
  };
}

function isSame(known: ToolDefinition[], tools: ToolDefinition[]): boolean {
  return known.length === tools.length && known.every((tool, index) => tool === tools[index]);
}

/**
 * Writes a list of messages as a vendor wants them, each once however often it is sent: in a long turn
 * all but the newest are known, and their bytes only have to be copied. `convert` is told whether a message
 * belongs to the present turn; what it makes depends on its arguments alone. `first`, where there is one,
 * begins the list.
 */
export function createMessageWriter(
  convert: (message: ModelMessage, target: WireTarget, inTurn: boolean) => object[],
): (messages: ModelMessage[], target: WireTarget, first?: object) => Buffer[] {
  const written = new WeakMap<
    ModelMessage,
    { target: WireTarget; inTurn: boolean; json: Buffer }
  >();
  function write(message: ModelMessage, target: WireTarget, inTurn: boolean): Buffer {
    const known = written.get(message);
    if (known && known.target === target && known.inTurn === inTurn) return known.json;
    const json = listed(convert(message, target, inTurn));
    written.set(message, { target, inTurn, json });
    return json;
  }
  return (messages, target, first) => {
    const lastUser = messages.findLastIndex(({ role }) => role === 'user');
    const pieces = messages.map((message, index) => write(message, target, index > lastUser));
    if (first) pieces.unshift(listed([first]));
    const [begin, ...rest] = pieces.filter(({ length }) => length > 0);
    return [listStart, ...(begin ? [begin.subarray(1)] : []), ...rest, listEnd];
  };
}

const [listStart, listEnd] = [Buffer.from('['), Buffer.from(']')];

/** Members of a list, each with a comma before it. */
function listed(values: object[]): Buffer {
  return Buffer.from(values.map((value) => `,${JSON.stringify(value)}`).join(''));
}

/** A request's body: an object that is not empty, and fields whose values are JSON already, in pieces. */
export function withJson(body: object, fields: Record<string, Buffer[]>): Buffer[] {
  const written = Object.entries(fields).flatMap(([name, json]) => [
    Buffer.from(`,${JSON.stringify(name)}:`),
    ...json,
  ]);
  const begin = Buffer.from(JSON.stringify(body).slice(0, -1));
  return [begin, ...written, Buffer.from('}')];
}

/** A request to one of OpenAI's APIs, or to a compatible one. */
export function toOpenAiRequest(target: WireTarget, path: string, body: Buffer[]): WireRequest {
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
