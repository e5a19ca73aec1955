import { responseNotFound } from '#chat/runs/run-place.ts';
import type { Block } from '#shared/vocabulary/block.ts';

const uuid = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** The id of a run as a response. */
export function responseId(runId: string): string {
  return `resp_${bare(runId)}`;
}

/** The run of a response. Throws `response_not_found` for any other text. */
export function runOfResponse(id: string): string {
  return fromBare(id, 'resp_');
}

/** The id of a run as a message of Anthropic's API. */
export function messageId(runId: string): string {
  return `msg_${bare(runId)}`;
}

/** The run of a message. Throws `response_not_found` for any other text. */
export function runOfMessage(id: string): string {
  return fromBare(id, 'msg_');
}

/** The id under which a program is asked about a call. */
export function approvalId(toolCallId: string): string {
  return `mcpr_${bare(toolCallId)}`;
}

/** The call of such an id. */
export function callOfApproval(id: string): string {
  return fromBare(id, 'mcpr_');
}

/** The id of an item of a response: its answer, and its place in it. */
export function itemId(prefix: string, { messageId, ordinal }: Block): string {
  return `${prefix}_${bare(messageId)}_${ordinal}`;
}

function bare(id: string): string {
  return id.replaceAll('-', '');
}

function fromBare(id: string, prefix: string): string {
  const found = id.startsWith(prefix) && uuid.exec(id.slice(prefix.length));
  if (!found) throw responseNotFound();
  return found.slice(1).join('-');
}
