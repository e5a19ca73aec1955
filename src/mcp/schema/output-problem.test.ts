import { describe, expect, it } from 'vitest';
import { textOf } from '#shared/errors/sentence.ts';
import { outputProblem as judge } from './output-problem.ts';

/** The English of what is wrong. */
function outputProblem(...given: Parameters<typeof judge>): string | undefined {
  const words = judge(...given);
  return words && textOf(words);
}

const tool = {
  outputSchema: {
    type: 'object',
    properties: { degrees: { type: 'number' } },
    required: ['degrees'],
  },
};

describe('outputProblem', () => {
  it('says nothing about a result that keeps its promise, or where nothing was promised', () => {
    expect(outputProblem(tool, { content: [], structuredContent: { degrees: 3 } })).toBeUndefined();
    expect(outputProblem({}, { content: [], structuredContent: 3 })).toBeUndefined();
    expect(outputProblem(tool, { content: [], isError: true })).toBeUndefined();
  });

  it('says what is missing or wrong', () => {
    expect(outputProblem(tool, { content: [] })).toContain('has no structured content');
    expect(outputProblem(tool, { content: [], structuredContent: { degrees: 'warm' } })).toBe(
      "The structured content doesn't match the tool's output schema (degrees: must be a number).",
    );
  });

  it('checks values of every kind', () => {
    const list = { outputSchema: { type: 'array', items: { type: 'integer' } } };
    expect(outputProblem(list, { content: [], structuredContent: [1, 2] })).toBeUndefined();
    expect(outputProblem(list, { content: [], structuredContent: [1, 'x'] })).toContain('integer');
    const nothing = { outputSchema: { type: 'null' } };
    expect(outputProblem(nothing, { content: [], structuredContent: null })).toBeUndefined();
    expect(outputProblem(nothing, { content: [], structuredContent: 0 })).toContain('null');
  });
});
