import { truncate } from '#shared/text/text.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ToolProgress } from '#shared/vocabulary/tool.ts';
import type { RequestId } from './messages.ts';

const maxMessageChars = 1000;

/** A progress notification: for which request, and how far. Undefined for what cannot be read. */
export function readProgress(
  params: JsonObject,
): { token: RequestId; progress: ToolProgress } | undefined {
  const { progressToken: token, progress, total, message } = params;
  if (typeof token !== 'number' && typeof token !== 'string') return undefined;
  if (typeof progress !== 'number') return undefined;
  const known = typeof total === 'number' && total > 0 ? total : undefined;
  return {
    token,
    progress: {
      progress,
      ...(known && { total: known, ratio: Math.min(1, Math.max(0, progress / known)) }),
      ...(typeof message === 'string' &&
        message && { message: truncate(message, maxMessageChars) }),
    },
  };
}
