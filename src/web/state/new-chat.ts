import { create } from 'zustand';
import type { TopicPatch } from '#shared/event.ts';
import { topicsApi } from '../api/topics-api.ts';
import { newKey } from '../api/key.ts';
import { keepTopic } from './topics.ts';

/** What was chosen for a conversation that does not exist yet. */
export type NewChat = Pick<TopicPatch, 'assistantId' | 'model' | 'parameters' | 'mcp'>;

/** The choice for the next new conversation. */
export const useNewChat = create<{ choice: NewChat }>(() => ({ choice: {} }));

/** Makes the topic with what was chosen, and forgets the choice; the assistant is kept. */
export async function createTopic(): Promise<string> {
  const { assistantId, model, parameters, mcp } = useNewChat.getState().choice;
  const created = await topicsApi.create(
    { ...(assistantId && { assistantId }), ...(model && { model }) },
    newKey(),
  );
  const more = { ...(parameters && { parameters }), ...(mcp && { mcp }) };
  const needsMore = Object.keys(more).length > 0;
  const topic = needsMore ? await topicsApi.update(created.id, more) : created;
  keepTopic(topic);
  useNewChat.setState({ choice: assistantId ? { assistantId } : {} });
  return topic.id;
}
