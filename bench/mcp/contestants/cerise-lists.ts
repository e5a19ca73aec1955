import { Connection } from '#mcp/connection/connection.ts';
import { limitsWith } from '#shared/vocabulary/limits.ts';
import type { Connect } from '../contestant.ts';
import { manyTools } from '../load.ts';
import { fail, openClient } from './own-client.ts';

/** The service's own listing without its cache, and with room for more tools than it ships with. */
export const connect: Connect = async (target) => {
  const client = await openClient(target);
  const connection = new Connection({
    kind: 'stdio',
    client,
    note: fail,
    limits: limitsWith({ toolsPerServer: manyTools }),
  });
  return {
    call: () => fail('Only lists are measured here.'),
    list: async () => (await connection.listTools()).value.length,
    close: () => connection.close(),
  };
};
