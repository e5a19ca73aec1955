import { inSlices } from '../database/slices.ts';
import type { Db } from '../database/store.ts';

/** How many calls are looked at, from the newest. */
const mostLooked = 500;
/** Rows of one slice, most of which are of others. */
const sliceRows = 1000;

/**
 * The newest succeeded calls of an owner to a server, one of each tool with the same arguments: their ids, newest first.
 * No index is worth its price at each call, so all rows are gone through, in slices.
 */
export async function listDistinctCalls(
  db: Db,
  owner: string,
  serverId: string,
): Promise<{ id: string; toolName: string }[]> {
  const slice = (after: string) => db.selectFrom('tool_calls').where('id', '>', after);
  const read = (after: string, last: string | undefined) =>
    slice(after)
      .select(['id', 'tool_name', 'args_hash', 'created_at'])
      .where('owner', '=', owner)
      .where('server_id', '=', serverId)
      .where('state', '=', 'succeeded')
      .where('removed_at', 'is', null)
      .$if(last !== undefined, (query) => query.where('id', '<=', last ?? ''))
      .execute();
  let newest: Awaited<ReturnType<typeof read>> = [];
  let after = '';
  await inSlices(async () => {
    const end = slice(after)
      .select('id')
      .orderBy('id')
      .limit(1)
      .offset(sliceRows - 1);
    const last = (await end.executeTakeFirst())?.id;
    newest = [...newest, ...(await read(after, last))]
      .toSorted((a, b) => b.created_at - a.created_at)
      .slice(0, mostLooked);
    after = last ?? after;
    return last !== undefined;
  });
  const distinct = new Map(
    newest.toReversed().map((row) => [JSON.stringify([row.tool_name, row.args_hash]), row]),
  );
  return [...distinct.values()]
    .map(({ id, tool_name: toolName }) => ({ id, toolName }))
    .toReversed();
}
