import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { flattenContent } from '#tools/results/results.ts';

/** Characters of a result that tool activity contains; all of it is in Cerise. */
const maxResultChars = 4096;

/** What a program is shown of a call that Cerise makes. */
export interface ToolActivity {
  id: string;
  server: string;
  tool: string;
  state: ToolBlock['state'];
  arguments: ToolBlock['arguments'];
  result?: string;
  error?: { code: string; message: string };
}

/** A call that Cerise makes, for the field `cerise`. */
export function activityOf(block: ToolBlock): ToolActivity {
  const { toolCallId, serverName, toolName, state, error } = block;
  const text = resultText(block);
  return {
    id: toolCallId,
    server: serverName,
    tool: toolName,
    state,
    arguments: block.proposedArguments ?? block.arguments,
    ...(text !== undefined && { result: text.slice(0, maxResultChars) }),
    ...(error && { error: { code: error.code, message: error.message } }),
  };
}

/** The result of a call as text; undefined while there is none. */
export function resultText({ result }: Pick<ToolBlock, 'result'>): string | undefined {
  return result && flattenContent(result.content);
}
