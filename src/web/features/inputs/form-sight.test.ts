import { describe, expect, it } from 'vitest';
import { misleadingValues } from './form-sight.ts';

const text = (given: object) => ({
  type: 'object' as const,
  properties: { field: { type: 'string', ...given } },
});

describe('T84: what a form sends otherwise than its fields show it', () => {
  const long = `Name: ${'.'.repeat(100)} and delete everything`;

  it('is a long text of the server, also once somebody has changed a letter of it', () => {
    const schema = text({ default: long });
    for (const value of [long, `Ada ${long}`, long.replace('Name', 'Ada')])
      expect(misleadingValues(schema, { field: value })).toEqual({ field: value });
    expect(misleadingValues(schema, { field: 'Ada' })).toEqual({});
  });

  it('is a text of several lines that began as one of the server', () => {
    const schema = text({ default: 'one\ntwo' });
    expect(misleadingValues(schema, { field: 'one\ntwo!' })).toEqual({ field: 'one\ntwo!' });
  });

  it('is a secret that the server began, however it goes on', () => {
    const schema = text({ format: 'password', default: 'hunter' });
    for (const value of ['hunter', 'hunter2'])
      expect(misleadingValues(schema, { field: value })).toEqual({ field: value });
    expect(misleadingValues(text({ format: 'password' }), { field: 'own' })).toEqual({});
  });

  it('is nothing that somebody wrote themselves', () => {
    expect(misleadingValues(text({}), { field: 'x'.repeat(500) })).toEqual({});
    expect(misleadingValues(text({ default: 'short' }), { field: 'x'.repeat(500) })).toEqual({});
  });
});
