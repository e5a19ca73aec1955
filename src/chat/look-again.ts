import { CeriseError, type ErrorCode, type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { PolicyVerdict, Tool } from '#shared/tool.ts';
import type { ToolCallRecord } from '#store/tool-calls.ts';

/** What a call that waited would run: its tool, why there is none any more, or why nobody can tell. */
export type ToolNow = { tool: Tool } | { refusal: ErrorInfo } | { problem: CeriseError };

/** What does not pass by itself: somebody changed, removed or switched off what was asked about. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'server_not_found',
  'server_disabled',
  'server_not_approved',
  'tool_not_found',
  'tool_changed',
] as const);

/** Finds the tool of a call as it is now. A server that cannot be reached is a problem, no refusal. */
export async function lookAgain(
  find: (record: ToolCallRecord) => Promise<Tool>,
  record: ToolCallRecord,
): Promise<ToolNow> {
  try {
    return { tool: await find(record) };
  } catch (error) {
    if (!(error instanceof CeriseError)) throw error;
    return refusals.has(error.code) ? { refusal: toErrorInfo(error) } : { problem: error };
  }
}

/** Why a call that was asked about may not run as things are now; undefined if it may. */
export function refusalOf(
  record: ToolCallRecord,
  tool: Pick<Tool, 'launchHash'>,
  verdict: PolicyVerdict,
): ErrorInfo | undefined {
  if (record.launchHash !== undefined && record.launchHash !== tool.launchHash)
    return {
      code: 'launch_changed',
      message: `The server ${record.serverName} was changed after this call was asked for.`,
      hint: 'Ask for it again, so that it can be judged for the server as it is now.',
    };
  return verdict.action === 'deny' ? toErrorInfo(deniedByPolicy(verdict)) : undefined;
}

/** What a call that the policy refuses ends with. */
export function deniedByPolicy({ rule, code }: PolicyVerdict): CeriseError {
  return new CeriseError(code ?? 'denied', `This call is not allowed: ${rule}.`);
}

/** What whoever approves is told where the call is refused by now. */
export function noLongerAllowed(refusal: ErrorInfo): CeriseError {
  return new CeriseError('no_longer_allowed', `It was not run. ${refusal.message}`, {
    hint: refusal.hint ?? 'Things changed while the call waited.',
    details: { reason: refusal.code },
  });
}
