import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The one PostgreSQL of this run; null if there is none. */
    postgresUrl: string | null;
  }
}

/** Starts what all tests share. In CI a missing PostgreSQL fails the run; elsewhere one line says so. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // No test cuts the power of the machine: nothing has to wait for the disk.
  const postgres = await startPostgres(process.env, ['fsync=off']);
  project.provide('postgresUrl', postgres.url ?? null);
  if (postgres.url !== undefined) return () => postgres.stop();
  const line = `PostgreSQL tests are skipped: ${postgres.missing}.`;
  if (process.env.CI) throw new Error(`${line} CI needs PostgreSQL.`);
  process.stderr.write(`${line}\n`);
  return async () => {};
}
