import type { Topic } from '#shared/vocabulary/message.ts';
import type { ModelInfo } from '#shared/vocabulary/model.ts';
import { useCatalog } from '../catalog/catalog.ts';
import { useTopics } from './topics.ts';

const most = 3;

/** The models that were chosen in the newest conversations, newest first, as far as they are offered. */
export function recentModels(topics: readonly Topic[], models: readonly ModelInfo[]): string[] {
  const offered = new Set(models.flatMap(({ id, hidden }) => (hidden ? [] : [id])));
  const chosen = new Set<string>();
  for (const { model } of topics) {
    if (model && offered.has(model)) chosen.add(model);
    if (chosen.size === most) break;
  }
  return [...chosen];
}

/** What a new conversation is answered by where nobody chooses and its assistant has no model of its own. */
export function usualModel(
  topics: readonly Topic[],
  catalog: Pick<
    ReturnType<typeof useCatalog.getState>,
    'models' | 'defaultModel' | 'hasOwnDefault'
  >,
): string {
  const { models, defaultModel, hasOwnDefault } = catalog;
  if (hasOwnDefault) return defaultModel;
  // The demo is for trying things out; nobody means it to stay.
  const real = models.filter(({ scripted }) => !scripted);
  return recentModels(topics, real)[0] ?? defaultModel;
}

/** The same, as it is now. */
export function useUsualModel(): string {
  const topics = useTopics((state) => state.topics);
  return useCatalog((catalog) => usualModel(topics, catalog));
}
