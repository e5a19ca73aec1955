import { DatabaseSync } from 'node:sqlite';
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
