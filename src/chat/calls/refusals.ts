import {
  CeriseError,
  type ErrorCode,
  errorInfo,
  type ErrorInfo,
  hintOf,
  messageOf,
  toErrorInfo,
} from '#shared/errors/errors.ts';
import { say, sayAs, type Words } from '#shared/errors/sentence.ts';
import type { PolicyVerdict, Tool } from '#shared/vocabulary/tool.ts';
import type { ToolCallRecord } from '#store/calls/tool-calls.ts';

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
export async function findToolNow(
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
    return errorInfo(
      'launch_changed',
      say(
        'server-changed-since',
      )`The server ${record.serverName} has changed since this call was requested.`,
      {
        hint: say(
          'ask-call-again',
        )`Request it again so it's checked against the server's current settings.`,
      },
    );
  return verdict.action === 'deny' ? toErrorInfo(deniedByPolicy(verdict)) : undefined;
}

/** What a call that the policy refuses ends with. */
export function deniedByPolicy(verdict: PolicyVerdict): CeriseError {
  return new CeriseError(
    verdict.code ?? 'denied',
    say('call-not-allowed')`This call isn't allowed: ${whyDenied(verdict)}.`,
  );
}

/** What a call ends with that would ask a person, where the request of a program said that nobody can be asked. */
export const nobodyToAsk: ErrorInfo = errorInfo(
  'denied',
  say(
    'nobody-to-ask',
  )`This call needs approval, but this request can't ask for it, so it didn't run.`,
  {
    hint: say(
      'nobody-to-ask-hint',
    )`Allow the tool in Cerise, or send the request with approvals set to "wait".`,
  },
);

/** A person's note on their rule stays as they wrote it. */
function whyDenied({ rule, byRule, reason }: PolicyVerdict): Words {
  if (reason === 'tool_changed') return sayAs('denied-tool-changed', rule);
  return byRule && !byRule.note ? sayAs('denied-by-rule', rule) : rule;
}

/** The error for an approval of a call that is refused by now. */
export function noLongerAllowed(refusal: ErrorInfo): CeriseError {
  return new CeriseError(
    'no_longer_allowed',
    say('was-not-run')`The call didn't run. ${messageOf(refusal)}`,
    {
      hint:
        hintOf(refusal) ??
        say('changed-while-waiting')`Something changed while the call was waiting.`,
      details: { reason: refusal.code },
    },
  );
}
