import { describe, expect, it } from 'vitest';
import { previewArguments } from './preview-arguments.ts';

describe('previewArguments', () => {
  it('names each argument with its value in one line', () => {
    const line = previewArguments({ content: '', arguments: { city: 'Tokyo\n!', list: [1, 2] } });
    expect(line).toBe('city: Tokyo !, list: [1,2]');
  });

  it('shows what the model is writing while there are no arguments yet', () => {
    expect(previewArguments({ content: '{"city": "To', arguments: {} })).toBe('{"city": "To');
  });

  it('says nothing of a call without arguments', () => {
    for (const content of ['{}', ' { } ', ''])
      expect(previewArguments({ content, arguments: {} })).toBe('');
  });

  it('stays short whatever it is given', () => {
    const huge = Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`k${at}`, 'x'.repeat(1e4)]),
    );
    expect(previewArguments({ content: '', arguments: huge }).length).toBeLessThanOrEqual(200);
  });
});
