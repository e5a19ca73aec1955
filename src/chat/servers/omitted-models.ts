import type { McpTool } from '#mcp/results/types.ts';
import type { ToolView } from '#shared/api/api.ts';
import { sentenceRef, textOf } from '#shared/errors/sentence.ts';
import { processJsonSchema } from '#tools/formats/json-schema.ts';
import { toolVendors, vendorsWithout } from '#tools/formats/tool-definitions.ts';

/** The models that are not offered a tool: those without words for it, or all where it is unusable. */
export function omittedModels({ inputSchema, problem }: McpTool): Pick<ToolView, 'leftOut'> {
  const reasonSaid = sentenceRef(problem);
  const models = problem
    ? toolVendors.map((dialect) => ({
        dialect,
        reason: textOf(problem),
        ...(reasonSaid && { reasonSaid }),
      }))
    : vendorsWithout(processJsonSchema(inputSchema));
  return models.length > 0 ? { leftOut: models } : {};
}
