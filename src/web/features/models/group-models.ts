import type { ModelInfo } from '#shared/vocabulary/model.ts';

/** From this many models on, those that were used last stand first. */
const many = 8;

interface ModelGroup {
  kind: 'favourites' | 'recent' | 'provider';
  /** The name of the provider. */
  name: string;
  models: ModelInfo[];
}

/** The models in the groups they are shown in: each once, and while somebody searches by provider only. */
export function groupModels(
  models: readonly ModelInfo[],
  choice: { query: string; favourites: readonly string[]; recent: readonly string[] },
): ModelGroup[] {
  const words = choice.query.trim().toLowerCase().split(/\s+/);
  const matching = models.filter(({ id, name, providerName }) =>
    words.every((word) => `${id} ${name} ${providerName}`.toLowerCase().includes(word)),
  );
  const named = (ids: readonly string[]) =>
    ids.flatMap((id) => matching.find((model) => model.id === id) ?? []);
  const isSearched = choice.query.trim() !== '';
  const favourites = isSearched ? [] : named(choice.favourites);
  const recent =
    isSearched || models.length < many
      ? []
      : named(choice.recent).filter((model) => !favourites.includes(model));
  const rest = matching
    .filter((model) => !favourites.includes(model) && !recent.includes(model))
    .toSorted((a, b) => Number(a.scripted) - Number(b.scripted));
  const groups: ModelGroup[] = [
    { kind: 'favourites', name: '', models: favourites },
    { kind: 'recent', name: '', models: recent },
    ...[...Map.groupBy(rest, ({ provider }) => provider).values()].map((own) => ({
      kind: 'provider' as const,
      name: own[0]?.providerName ?? '',
      models: own,
    })),
  ];
  return groups.filter((group) => group.models.length > 0);
}
