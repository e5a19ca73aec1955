import { say, type Words } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { compileSchema } from './validate.ts';

/**
 * How a result breaks the promise of its tool's output schema; undefined if it does not. The result
 * is kept all the same: whoever reads it is told.
 */
export function outputProblem(
  tool: { outputSchema?: JsonObject },
  result: ToolResult,
): Words | undefined {
  if (!tool.outputSchema || result.isError) return undefined;
  const { structuredContent } = result;
  if (structuredContent === undefined) {
    return say(
      'promised-structured',
    )`The tool promises structured content, but the result has none.`;
  }
  const misfit = compileSchema(tool.outputSchema).check(structuredContent);
  return (
    misfit &&
    say(
      'structured-misfit',
    )`The structured content is not what the tool's output schema says (${misfit}).`
  );
}
