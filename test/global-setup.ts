import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openStore } from '#store/open-store.ts';
import { setUp } from '../scripts/setup.mjs';
import { useMemoryFolder } from './memory-folder.ts';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A data folder whose database has all tables and no rows, to be copied. */
    sqliteTemplate: string;
    /** The one PostgreSQL of this run; null if there is none. */
    postgresUrl: string | null;
    /** The name of a database there with all tables and no rows, to be copied. */
    postgresTemplate: string;
  }
}

const left = { url: undefined, missing: 'the quick run goes without' };
/** No test cuts the power of the machine: nothing has to wait for the disk. */
const settings = ['fsync=off', 'full_page_writes=off'];

/**
 * Starts what all tests share. `--project quick` goes without PostgreSQL. Otherwise a missing one fails the run in
 * CI; elsewhere one line says so.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Programs and pages that tests start are built from the sources as they are.
  const isQuick = project.vitest.config.project.join() === 'quick';
  if (!isQuick) await setUp('start');
  const cleanups = [await useMemoryFolder()];
  const home = await mkdtemp(join(tmpdir(), 'cerise-template-'));
  cleanups.push(() => rm(home, { recursive: true, force: true }));
  await (await openStore({ home })).close();
  project.provide('sqliteTemplate', home);
  const postgres = isQuick ? left : await startPostgres(process.env, settings);
  project.provide('postgresUrl', postgres.url ?? null);
  if (postgres.url === undefined) {
    const line = `PostgreSQL tests are skipped: ${postgres.missing}.`;
    if (process.env.CI && !isQuick) throw new Error(`${line} CI needs PostgreSQL.`);
    process.stderr.write(`${line}\n`);
  } else {
    cleanups.push(() => postgres.stop());
    const template = await makeTemplate(postgres.url, home);
    cleanups.push(() => template.remove());
    project.provide('postgresTemplate', template.name);
  }
  return async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  };
}

/** A database is copied only while nobody is connected to it. */
async function makeTemplate(
  url: string,
  home: string,
): Promise<{ name: string; remove(): Promise<void> }> {
  const name = `template_${randomBytes(8).toString('hex')}`;
  const client = new Client(url);
  await client.connect();
  await client.query(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  await (await openStore({ home, databaseUrl: own.href })).close();
  return {
    name,
    async remove() {
      await client.query(`drop database ${name} with (force)`);
      await client.end();
    },
  };
}
