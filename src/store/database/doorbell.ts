import type { Client } from 'pg';
import type { Logger } from '#shared/vocabulary/ports.ts';

/** PostgreSQL refuses 8,000 bytes and more. */
const maxBytes = 7500;
const pauseMs = 1000;

/** Tells other hosts on the same database that something is to be looked at. Nothing is promised. */
export interface Doorbell {
  /** Never throws; what is too long is not sent. */
  ring(payload: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Listens on a connection of its own and comes back when it is lost. `onReady` is called whenever it
 * listens again: what was rung before is not heard any more.
 */
export function openDoorbell(options: {
  databaseUrl: string;
  /** Who listens: as long as the connection is there, everybody can see that it lives. */
  instance: string;
  logger?: Logger;
  onRing: (payload: string) => void;
  onReady: () => void;
}): Doorbell {
  const { databaseUrl, instance, logger, onRing, onReady } = options;
  let client: Client | undefined;
  let channel = '';
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  /** One after the other: a connection has one query at a time. */
  let ringing: Promise<void> = Promise.resolve();

  const comeBack = (): void => {
    client = undefined;
    if (!closed && !timer) timer = setTimeout(() => void connect(), pauseMs).unref();
  };

  async function connect(): Promise<void> {
    timer = undefined;
    const { Client } = await import('pg');
    const fresh = new Client({
      connectionString: databaseUrl,
      application_name: 'cerise doorbell',
    });
    fresh.on('error', (error) =>
      logger?.warn({ error: error.message }, 'Lost the notification channel'),
    );
    fresh.on('end', comeBack);
    fresh.on('notification', ({ payload }) => onRing(payload ?? ''));
    try {
      await fresh.connect();
      // Hosts in several schemas of one database are strangers.
      const { rows } = await fresh.query<{ name: string }>('select current_schema() as name');
      channel = `cerise ${rows[0]?.name ?? ''}`;
      await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`);
      await fresh.query(`select pg_advisory_lock(hashtextextended('cerise ' || $1, 0))`, [
        instance,
      ]);
      if (closed) {
        await fresh.end();
        return;
      }
      client = fresh;
      onReady();
    } catch {
      // The reason is in the log already; `end` does not come for a connection that never was.
      fresh.removeAllListeners('end');
      fresh.end().catch(() => undefined);
      comeBack();
    }
  }

  void connect();
  return {
    async ring(payload) {
      if (Buffer.byteLength(payload) > maxBytes) return;
      const last = ringing.then(() =>
        client?.query('select pg_notify($1, $2)', [channel, payload]),
      );
      ringing = last.then(
        () => undefined,
        () => undefined,
      );
      await ringing;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
