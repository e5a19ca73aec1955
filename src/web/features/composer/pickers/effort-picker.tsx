import { Brain, ChevronDown } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ChosenParameters } from '#shared/vocabulary/model.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { useChatSettings } from '../../../state/chat/use-chat-settings.ts';
import { EffortOptions, effortText } from '../../models/parameters.tsx';

/** How much the model thinks first; only where it thinks at all. */
export function EffortPicker({ topicId }: { topicId: string | null }): ReactElement | null {
  const t = useTranslations('composer');
  const { model, parameters, change } = useChatSettings(topicId);
  const info = useCatalog(({ models }) => models.find(({ id }) => id === model));
  if (!info?.capabilities.reasoning || info.scripted) return null;
  const set = (effort: string) => {
    const { reasoningEffort: _, ...others } = parameters;
    const chosen = effort as ChosenParameters['reasoningEffort'] | '';
    change({ parameters: chosen ? { ...others, reasoningEffort: chosen } : others });
  };
  return (
    <label
      title={t('effort')}
      className="relative flex h-9 shrink-0 items-center gap-1.5 rounded-full px-2.5 text-[0.8125rem] text-muted transition-colors focus-within:bg-hover hover:bg-hover hover:text-ink"
    >
      <Brain aria-hidden className="size-4" />
      <span className="hidden sm:inline">
        {parameters.reasoningEffort ? t(effortText[parameters.reasoningEffort]) : t('effortShort')}
      </span>
      <ChevronDown aria-hidden className="hidden size-3 opacity-60 sm:block" />
      <select
        aria-label={t('effort')}
        data-testid="effort"
        value={parameters.reasoningEffort ?? ''}
        onChange={(event) => set(event.target.value)}
        className="absolute inset-0 size-full cursor-pointer appearance-none opacity-0"
      >
        <EffortOptions chosen={parameters.reasoningEffort} />
      </select>
    </label>
  );
}
