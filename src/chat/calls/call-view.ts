import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { ToolCallRecord } from '#store/calls/tool-calls.ts';
import { reasonOf } from '#tools/policy/policy-words.ts';

/** A call as clients see it. */
export function toView({
  owner: _owner,
  blockId: _blockId,
  round: _round,
  index: _index,
  callId: _callId,
  launchHash: _launchHash,
  removedAt: _removedAt,
  abortAt: _abortAt,
  ...view
}: ToolCallRecord): ToolCallView {
  const reason = reasonOf(view.rule);
  return { ...view, ...(reason && { reason }) };
}
