import type { Selectable } from 'kysely';
import type { CallReach } from '#shared/vocabulary/tool.ts';
import type { ToolCallsTable } from '../tables/conversation-tables.ts';

/** How far a call came that is over; where that was not recorded, one without a result that had a start may have happened. */
export function reachOfRow(
  { reach, started_at }: Pick<Selectable<ToolCallsTable>, 'reach' | 'started_at'>,
  isAnswered: boolean,
): CallReach {
  if (reach !== null) return reach;
  if (isAnswered) return 'ended';
  return started_at === null ? 'never-left' : 'left';
}
