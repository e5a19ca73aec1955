import { create } from 'zustand';
import type { TopicPatch } from '#shared/event.ts';
import { topicsApi } from '../api/topics-api.ts';
import { keepTopic } from './topics.ts';

/** What was chosen for a conversation that does not exist yet. */
export type NewChat = Pick<TopicPatch, 'assistantId' | 'model' | 'parameters' | 'mcp'>;

/** The choice for the next new conversation. */
export const useNewChat = create<{ choice: NewChat }>(() => ({ choice: {} }));

/**
 * Makes the topic, and forgets the choice; the assistant is kept. `begun` is what was chosen when the
 * first message was sent: the same key with it makes one topic only, however often it is asked for. What
 * was chosen since is changed afterwards.
 */
export async function createTopic(begun: NewChat, key: string): Promise<string> {
  const { assistantId, model } = begun;
  const created = await topicsApi.create(
    { ...(assistantId && { assistantId }), ...(model && { model }) },
    key,
  );
  const { choice } = useNewChat.getState();
  const { parameters, mcp } = choice;
  const more: TopicPatch = {
    ...(choice.assistantId !== assistantId && { assistantId: choice.assistantId }),
    ...(choice.model !== model && { model: choice.model ?? null }),
    ...(parameters && { parameters }),
    ...(mcp && { mcp }),
  };
  const needsMore = Object.keys(more).length > 0;
  keepTopic(needsMore ? await topicsApi.update(created.id, more) : created);
  useNewChat.setState({ choice: choice.assistantId ? { assistantId: choice.assistantId } : {} });
  return created.id;
}
