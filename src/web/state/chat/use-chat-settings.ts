import type { Assistant, ToolSelection } from '#shared/vocabulary/message.ts';
import type { ChosenParameters } from '#shared/vocabulary/model.ts';
import { useCatalog } from '../catalog/catalog.ts';
import { useConversation } from './conversation.ts';
import { type NewChat, useNewChat } from './new-chat.ts';
import { useUsualModel } from './recent-models.ts';
import { chooseForTopic, useTopicChoice } from './topic-choices.ts';

interface ChatSettings {
  assistant: Assistant | undefined;
  /** The model that will answer. */
  model: string;
  parameters: ChosenParameters;
  mcp: ToolSelection;
  change: (patch: NewChat) => void;
}

const everything: ToolSelection = { enabled: true, mode: 'auto', selectedServers: [] };
const noParameters: ChosenParameters = {};

/**
 * What the next answer will be made with: the topic's own choice, else its assistant's, else the
 * default one; a new conversation begins with the model that was used last. Changes go to the topic, or wait for it while there is none.
 */
export function useChatSettings(topicId: string | null): ChatSettings {
  const topic = useConversation(({ conversation }) => conversation?.topic);
  const choice = useNewChat((state) => state.choice);
  const assistants = useCatalog((state) => state.assistants);
  const defaultModel = useCatalog((state) => state.defaultModel);
  const usualModel = useUsualModel();
  const chosen = useTopicChoice(topicId);
  const own: NewChat = topicId === null ? choice : { ...topic, ...chosen };
  const assistant = assistants.find(({ id }) => id === own.assistantId) ?? assistants[0];
  return {
    assistant,
    model: own.model ?? assistant?.model ?? (topicId === null ? usualModel : defaultModel),
    parameters: own.parameters ?? assistant?.parameters ?? noParameters,
    mcp: own.mcp ?? assistant?.mcp ?? everything,
    change: (patch) => {
      if (topicId === null) useNewChat.setState({ choice: { ...choice, ...patch } });
      else chooseForTopic(topicId, patch);
    },
  };
}
