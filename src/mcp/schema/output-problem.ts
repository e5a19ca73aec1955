import { say, type Words } from '#shared/errors/sentence.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { compileSchema } from './validate.ts';

/**
 * How a result breaks the promise of its tool's output schema; undefined if it does not. The result
 * is kept all the same, with a note for its reader.
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
    )`The tool declares an output schema, but the result has no structured content.`;
  }
  const misfit = compileSchema(tool.outputSchema).check(structuredContent);
  return (
    misfit &&
    say(
      'structured-misfit',
    )`The structured content doesn't match the tool's output schema (${misfit}).`
  );
}
