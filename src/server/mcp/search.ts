import { type Door, searchNames } from '#chat/doors/door.ts';
import { rpcCode } from '#shared/errors/rpc-code.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { failed } from './present.ts';
import { RpcFailure } from './rpc.ts';

/** The tool behind a call of `call_tool`, or the result of a search. */
export async function resolveSearched(
  door: Door,
  name: string,
  args: JsonObject,
): Promise<{ name: string; args: JsonObject } | { result: JsonObject }> {
  if (name === searchNames.search) {
    const limit = typeof args.limit === 'number' ? args.limit : 5;
    const text = await door.search(typeof args.query === 'string' ? args.query : '', limit);
    return { result: { content: [{ type: 'text', text }] } };
  }
  if (name !== searchNames.call)
    throw new RpcFailure(rpcCode.invalidParams, `Unknown tool: ${name}`);
  const { name: wanted, arguments: given = {} } = args;
  if (typeof wanted === 'string' && isJsonObject(given)) return { name: wanted, args: given };
  return { result: failed('Call call_tool with {"name": "…", "arguments": {…}}.') };
}
