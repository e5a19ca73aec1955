import { at } from '../api/path.ts';

/** How a request about an open stream ended; `failed` means that the stream must be opened anew. */
export type StreamOutcome = 'done' | 'gone' | 'signed-out' | 'failed';

/** Adds a topic to an open stream. It runs in the worker too, so it touches no state of the page. */
export function followOnHost(
  streamId: string,
  topic: { topicId: string; after: number; blocks: number },
): Promise<StreamOutcome> {
  return ask(at`/api/streams/${streamId}/topics`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(topic),
  });
}

/** Takes a topic out of an open stream. */
export function unfollowOnHost(streamId: string, topicId: string): Promise<StreamOutcome> {
  return ask(at`/api/streams/${streamId}/topics/${topicId}`, { method: 'DELETE' });
}

async function ask(path: string, init: RequestInit): Promise<StreamOutcome> {
  try {
    const response = await fetch(path, { credentials: 'same-origin', ...init });
    if (response.ok) return 'done';
    if (response.status === 401) return 'signed-out';
    const { error } = (await response.json()) as { error?: { code?: string } };
    return error?.code === 'topic_not_found' ? 'gone' : 'failed';
  } catch {
    // No answer, or none that can be read: the stream knows how to come back.
    return 'failed';
  }
}
