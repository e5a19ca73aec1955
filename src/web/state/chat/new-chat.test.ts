import { expect, it, onTestFinished, vi } from 'vitest';
import type { TopicChange } from '#shared/vocabulary/event.ts';
import type { Topic } from '#shared/vocabulary/message.ts';
import { api } from '../session/api.ts';
import { createTopic, useNewChat } from './new-chat.ts';

it('keeps what is chosen while the topic is made and changed', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const made = { id: 't', title: '', assistantId: 'a' } as Topic;
  const patches: TopicChange[] = [];
  vi.spyOn(api.topics, 'create').mockImplementation(async () => {
    useNewChat.setState({ choice: { assistantId: 'a', model: 'm' } });
    return made;
  });
  vi.spyOn(api.topics, 'update').mockImplementation(async (_id, patch) => {
    patches.push(patch);
    if (patches.length === 1) useNewChat.setState({ choice: { assistantId: 'b', model: 'm' } });
    return { ...made, ...patch } as Topic;
  });
  await createTopic({ assistantId: 'a' }, 'key');
  expect(patches).toEqual([{ model: 'm' }, { assistantId: 'b' }]);
  expect(useNewChat.getState().choice).toEqual({ assistantId: 'b' });
});
