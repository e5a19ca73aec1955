import type { z } from 'zod';
import type { followSchema } from '#shared/api/stream-api.ts';
import type { Connection } from '../http/connection.ts';
import { at } from '../http/path.ts';

/** What one open stream carries. */
export const streamsApi = ({ request }: Connection) => ({
  follow: (streamId: string, body: z.input<typeof followSchema>) =>
    request<void>(at`/api/streams/${streamId}/topics`, { method: 'POST', body }),
  unfollow: (streamId: string, topicId: string) =>
    request<void>(at`/api/streams/${streamId}/topics/${topicId}`, { method: 'DELETE' }),
});
