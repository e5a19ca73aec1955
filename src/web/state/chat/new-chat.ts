import { create } from 'zustand';
import type { TopicChange } from '#shared/vocabulary/event.ts';
import { api } from '../session/api.ts';
import { keepTopic } from './topics.ts';

/** What was chosen for a conversation that does not exist yet. */
export type NewChat = Pick<TopicChange, 'assistantId' | 'model' | 'parameters' | 'mcp'>;

/** The choice for the next new conversation. */
export const useNewChat = create<{ choice: NewChat }>(() => ({ choice: {} }));

/**
 * Makes the topic, and forgets the choice; the assistant is kept. `begun` is what was chosen when the
 * first message was sent: the same key with it makes one topic only, however often it is asked for. What
 * was chosen since is changed afterwards.
 */
export async function createTopic(begun: NewChat, key: string): Promise<string> {
  const { assistantId, model } = begun;
  const created = await api.topics.create(
    { ...(assistantId && { assistantId }), ...(model && { model }) },
    key,
  );
  let topic = created;
  let sent: NewChat = { assistantId, model };
  for (;;) {
    const { choice } = useNewChat.getState();
    const more = changedSince(sent, choice);
    if (Object.keys(more).length === 0) break;
    topic = await api.topics.update(created.id, more);
    sent = choice;
  }
  keepTopic(topic);
  useNewChat.setState({ choice: sent.assistantId ? { assistantId: sent.assistantId } : {} });
  return created.id;
}

function changedSince(sent: NewChat, choice: NewChat): TopicChange {
  const { assistantId, model, parameters, mcp } = choice;
  return {
    ...(assistantId !== sent.assistantId && { assistantId }),
    ...(model !== sent.model && { model: model ?? null }),
    ...(parameters && parameters !== sent.parameters && { parameters }),
    ...(mcp && mcp !== sent.mcp && { mcp }),
  };
}
