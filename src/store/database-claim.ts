import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { CeriseError } from '#shared/errors.ts';
import type { Logger } from '#shared/ports.ts';
import { storageError } from './storage-error.ts';

/** A process that was killed is noticed by PostgreSQL within moments; so long is it waited for. */
const patience = 5000;
const pause = 200;

/**
 * Makes this process the only host on a PostgreSQL database, or throws `data_in_use`. Two hosts would
 * both go on with the same answers and run tools twice. The claim is a lock of the connection, so it
 * ends with the process however that ends.
 */
export async function claimDatabase(
  databaseUrl: string,
  logger?: Logger,
): Promise<{ release(): Promise<void> }> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'cerise claim' });
  client.on('error', (error) =>
    logger?.error({ error: error.message }, 'The claim on the database was lost; start again.'),
  );
  try {
    await client.connect();
    const deadline = performance.now() + patience;
    while (!(await tryClaim(client))) {
      if (performance.now() > deadline) throw inUse();
      await setTimeout(pause);
    }
  } catch (error) {
    await client.end();
    throw storageError(error);
  }
  return { release: () => client.end() };
}

async function tryClaim(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ claimed: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('cerise ' || current_schema(), 0)) as claimed`,
  );
  return rows[0]?.claimed === true;
}

function inUse(): CeriseError {
  return new CeriseError('data_in_use', 'Another Cerise uses this database.', {
    hint: 'This version runs as one process on a database; end the other one first.',
  });
}
