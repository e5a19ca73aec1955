import type { Assistant, ToolSelection } from '#shared/vocabulary/message.ts';
import type { ChosenParameters, ModelInfo, ModelParameters } from '#shared/vocabulary/model.ts';
import type { Connection } from '../http/connection.ts';
import { newKey } from '../http/key.ts';
import { at } from '../http/path.ts';

/** An assistant as a person enters it. */
export interface AssistantDraft {
  name: string;
  systemPrompt: string;
  model?: string | null;
  parameters: ChosenParameters;
  mcp: ToolSelection;
}

/** Assistants and the models they may use. */
export const assistantsApi = ({ request }: Connection) => ({
  list: () => request<{ assistants: Assistant[] }>('/api/assistants'),
  create: (body: AssistantDraft) =>
    request<Assistant>('/api/assistants', { method: 'POST', body, key: newKey() }),
  update: (id: string, body: Partial<AssistantDraft>) =>
    request<Assistant>(at`/api/assistants/${id}`, { method: 'PATCH', body }),
  remove: (id: string) => request<void>(at`/api/assistants/${id}`, { method: 'DELETE' }),
  models: () =>
    request<{
      models: ModelInfo[];
      defaultModel: string;
      hasOwnDefault: boolean;
      favouriteModels: string[];
      reasoningEffort?: ModelParameters['reasoningEffort'];
    }>('/api/models'),
});
