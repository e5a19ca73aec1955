import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { SqliteConnection } from './sqlite-driver.ts';

it('gives rows their names, also after the schema of a kept statement has changed', () => {
  const connection = new SqliteConnection(new DatabaseSync(':memory:'), () => undefined);
  connection.run('create table things (a integer, b text)');
  connection.run('insert into things values (?, ?)', [1, 'one']);
  const read = () => connection.run('select * from things').rows;
  expect(read()).toEqual([{ a: 1, b: 'one' }]);
  connection.run('alter table things add column c text');
  expect(read()).toEqual([{ a: 1, b: 'one', c: null }]);
  connection.run('delete from things');
  expect(read()).toEqual([]);
});

it.each([
  ['select a from things', false],
  ['with recursive named as (select a from things) select * from named', false],
  ['insert into things values (1)', true],
  ['with named as (select a from things) insert into things select a from named', true],
  ['WITH named AS (SELECT 1 AS a) UPDATE things SET a = (SELECT a FROM named)', true],
  ['with named as (select 1 as a) delete from things where a in (select a from named)', true],
])('knows whether the log has to be flushed after: %s', async (statement, hasWritten) => {
  const connection = new SqliteConnection(new DatabaseSync(':memory:'), () => undefined);
  connection.run('create table things (a integer)');
  await connection.acquire();
  await connection.executeQuery(CompiledQuery.raw(statement));
  expect(connection.release()).toBe(hasWritten);
});
