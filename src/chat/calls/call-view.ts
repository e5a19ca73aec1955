import type { ToolCallView } from '#shared/api/tool-call-api.ts';
import type { BlobPort } from '#shared/vocabulary/ports.ts';
import type { ToolCallRecord } from '#store/calls/tool-calls.ts';
import { reasonOf } from '#tools/policy/policy-words.ts';
import { loadStored } from './stored-results.ts';

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

/** The same with all of its result. */
export async function toWholeView(record: ToolCallRecord, blobs: BlobPort): Promise<ToolCallView> {
  const { owner, result } = record;
  return toView(result ? { ...record, result: await loadStored(result, blobs, owner) } : record);
}
