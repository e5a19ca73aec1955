import type { Timeline, TimelineCall, TimelineRequest } from '#shared/telemetry/timeline-api.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import { isMessageOpen, isMessageRunning, type Message } from '#shared/vocabulary/message.ts';
import { type CallTimesRecord, listCallTimes } from '#store/calls/call-times.ts';
import { getMessage } from '#store/conversations/messages.ts';
import type { Store } from '#store/database/store.ts';
import { reasonOf } from '#tools/policy/policy-words.ts';
import { readOpenTopic } from '../topic/open-topic.ts';
import { messageNotFound } from '../topic/topic-not-found.ts';

/** What an answer spends its time on, from its rows; a running one as far as its journal tells it. */
export async function readTimeline(
  store: Store,
  owner: string,
  answerId: string,
): Promise<Timeline> {
  const row = await getMessage(store.db, owner, answerId);
  if (row?.role !== 'assistant') throw messageNotFound();
  const open = isMessageOpen(row) ? await readOpenTopic(store, owner, row.topicId) : undefined;
  const answer = open?.answers.find(({ message }) => message.id === answerId)?.message ?? row;
  return toTimeline(answer, await listCallTimes(store.db, owner, answerId));
}

/** Calls of a copied or imported answer have no rows: their blocks tell as much as they can. */
export function toTimeline(answer: Message, records: readonly CallTimesRecord[]): Timeline {
  const byId = new Map(records.map((record) => [record.id, record]));
  const calls = answer.blocks
    .filter((block) => block.type === 'tool')
    .map((block) => toCall(block, byId.get(block.toolCallId)));
  const requests = [...(answer.rounds ?? []), ...derivedRequests(answer, calls)];
  const { id: answerId, topicId, model, status, usage, createdAt: startedAt, endedAt } = answer;
  return {
    answerId,
    topicId,
    model,
    status,
    usage,
    startedAt,
    endedAt,
    requests: requests.toSorted((a, b) => a.startedAt - b.startedAt),
    calls,
  };
}

function toCall(block: ToolBlock, record: CallTimesRecord | undefined): TimelineCall {
  const { toolCallId, round, serverId, serverName, toolName, title, vendor, state } = block;
  const { startedAt, endedAt, error } = block;
  const shown = { toolCallId, round, serverId, serverName, toolName, title, vendor, state };
  if (!record)
    return { ...shown, error: error?.code, createdAt: startedAt, startedAt, endedAt, waits: [] };
  const { id: _, ...own } = record;
  return { ...shown, ...own, reason: reasonOf(record.rule) };
}

/** The requests that are not noted: those that run, and those of an earlier version. */
function derivedRequests(
  { blocks, rounds = [], createdAt, ...answer }: Message,
  calls: readonly TimelineCall[],
): TimelineRequest[] {
  const noted = new Set(rounds.map(({ round }) => round));
  const isRunning = isMessageRunning(answer);
  const made = new Set(blocks.filter(({ type }) => isOfModel(type)).map(({ round }) => round));
  const last = Math.max(-1, ...noted, ...made);
  if (isRunning && answer.waiting?.for === 'model' && calls.every(hasEnded)) made.add(last + 1);
  return [...made.difference(noted)].map((round) => {
    const own = blocks.filter((block) => block.round === round && isOfModel(block.type));
    const proposed = calls.filter((call) => call.round === round).map((call) => call.createdAt);
    const before = blocks.filter((block) => block.round < round).map(endOf);
    const texts = own.filter(({ type }) => type !== 'tool');
    const starts = [...texts.map((block) => block.startedAt), ...proposed];
    const isOpen = isRunning && round >= last && proposed.length === 0;
    return {
      round,
      startedAt: Math.max(createdAt, ...before),
      ...(starts.length > 0 && { firstAt: Math.min(...starts) }),
      ...(!isOpen && { endedAt: Math.max(createdAt, ...texts.map(endOf), ...proposed) }),
      derived: true,
    };
  });
}

const isOfModel = (type: string): boolean => type !== 'error' && type !== 'translation';

const hasEnded = ({ endedAt }: { endedAt?: number | undefined }): boolean => endedAt !== undefined;

function endOf({ startedAt, endedAt }: { startedAt: number; endedAt?: number | undefined }) {
  return endedAt ?? startedAt;
}
