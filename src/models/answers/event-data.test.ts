import { describe, expect, it } from 'vitest';
import { CeriseError } from '#shared/errors/errors.ts';
import { parseEventData } from './event-data.ts';

describe('the data of an event', () => {
  const event = (values: string) => `{"choices":[${values}[]]}`;

  it('T85: is not read where it holds so many values that they would fill the memory', () => {
    expect(() => parseEventData(event('[],'.repeat(500_000)))).toThrow(CeriseError);
  });

  it('is read where it is long, or has many values', () => {
    expect(parseEventData(event('[],'.repeat(100_000))).choices).toHaveLength(100_001);
    expect(parseEventData(event(`"${'a'.repeat(2_000_000)}",`)).choices).toHaveLength(2);
  });
});
