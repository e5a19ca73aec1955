import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { CallLimits } from '../protocol/call-limits.ts';
import type { CallDeps, ToolCallRequest } from './call-request.ts';
import { definitionHash } from './definition-hash.ts';
import { listInTime } from './send-call.ts';

/**
 * Throws `tool_changed` if the server says something else of the tool by now than when it was chosen.
 * It is asked again only where it said that its list changed, or was gone in the meantime.
 */
export async function assertDefinition(
  { name, definitionHash: wanted, resume }: ToolCallRequest,
  deps: CallDeps,
  limits: CallLimits,
): Promise<void> {
  if (wanted === undefined || resume) return;
  const { tools } = deps.catalog;
  const listed = tools.age === undefined ? await listInTime(deps, limits) : undefined;
  const tool = (listed ?? tools.peek())?.find((each) => each.name === name);
  if (!tool || definitionHash(tool) === wanted) return;
  throw toolChanged(name);
}

/** What a call of a changed tool is refused with. */
export function toolChanged(toolName: string): CeriseError {
  return new CeriseError(
    'tool_changed',
    say('tool-not-approved')`${toolName} changed and needs your approval.`,
    {
      hint: say(
        'tool-compare',
      )`Compare the server's new description of it with the old one, then approve it.`,
      details: { toolName },
    },
  );
}
