import { create } from 'zustand';
import { showFailure } from '../../ui/notices/notices.ts';
import type { NewChat } from './new-chat.ts';
import { changeTopic } from './topics.ts';

/** What was chosen for topics and is still on its way to the host. */
const useChoices = create<{ choices: Record<string, NewChat> }>(() => ({ choices: {} }));

/** What was chosen for a topic last, as far as the host has not confirmed it. */
export function useTopicChoice(topicId: string | null): NewChat | undefined {
  return useChoices(({ choices }) => (topicId === null ? undefined : choices[topicId]));
}

/** Chooses something for a topic: it counts at once, also for the next choice. */
export function chooseForTopic(topicId: string, patch: NewChat): void {
  const next = { ...useChoices.getState().choices[topicId], ...patch };
  useChoices.setState(({ choices }) => ({ choices: { ...choices, [topicId]: next } }));
  changeTopic(topicId, patch)
    .catch(showFailure)
    .finally(() => {
      // Whatever was chosen since clears all of it when its own turn is over.
      const { [topicId]: newest, ...others } = useChoices.getState().choices;
      if (newest === next) useChoices.setState({ choices: others });
    });
}
