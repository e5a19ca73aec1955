import type { McpTool } from '#mcp/results/types.ts';
import type { ToolView } from '#shared/api/api.ts';
import { saidAs, textOf } from '#shared/errors/sentence.ts';
import { processJsonSchema } from '#tools/formats/json-schema.ts';
import { toolVendors, vendorsWithout } from '#tools/formats/tool-definitions.ts';

/** The models that are not offered a tool: those without words for it, or all where it is unusable. */
export function leftOut({ inputSchema, problem }: McpTool): Pick<ToolView, 'leftOut'> {
  const reasonSaid = saidAs(problem);
  const found = problem
    ? toolVendors.map((dialect) => ({
        dialect,
        reason: textOf(problem),
        ...(reasonSaid && { reasonSaid }),
      }))
    : vendorsWithout(processJsonSchema(inputSchema));
  return found.length > 0 ? { leftOut: found } : {};
}
