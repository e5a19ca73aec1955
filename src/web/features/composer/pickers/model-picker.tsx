import { Check, Cpu } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ModelInfo } from '#shared/vocabulary/model.ts';
import { loadModels, useCatalog, usePickableModels } from '../../../state/catalog/catalog.ts';
import { recentModels, rememberModel } from '../../../state/catalog/recent-models.ts';
import { useChatSettings } from '../../../state/chat/use-chat-settings.ts';
import { PopOver } from '../../../ui/controls/pop-over.tsx';
import { SearchList } from '../../../ui/controls/search-list.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { Capabilities } from '../../models/capabilities.tsx';
import { Parameters } from '../../models/parameters.tsx';
import { openPanel, usePanel } from '../commands/commands.ts';
import { PickerButton } from './picker-button.tsx';

/** From this many models on, those that were used last stand first. */
const many = 8;

/** Chooses the model of the conversation, and its parameters. */
export function ModelPicker({ topicId }: { topicId: string | null }): ReactElement {
  const t = useTranslations('composer');
  const open = usePanel(({ panel }) => panel === 'model');
  const setOpen = (next: boolean) => openPanel('model', next);
  useEffect(() => {
    // What was tried out in the background since is worth knowing now.
    if (open) loadModels().catch(showFailure);
  }, [open]);
  const models = useCatalog((state) => state.models);
  const settings = useChatSettings(topicId);
  const offered = usePickableModels(settings.model);
  const current = models.find(({ id }) => id === settings.model);
  const trigger = (
    <PickerButton icon={<Cpu />} label={t('model')} data-testid="model-picker">
      <span className="truncate">{current ? plainName(current) : settings.model}</span>
      {current?.scripted && <ScriptedMark />}
    </PickerButton>
  );
  return (
    <PopOver trigger={trigger} label={t('model')} open={open} onOpenChange={setOpen} width="w-96">
      {(close) => (
        <>
          <ModelList
            models={offered}
            chosen={settings.model}
            onChoose={(model) => {
              rememberModel(model);
              settings.change({ model });
              close();
            }}
          />
          <Parameters value={settings.parameters} onChange={settings.change} />
        </>
      )}
    </PopOver>
  );
}

/** The mark beside it already says that a model is scripted. */
function plainName({ name, scripted }: ModelInfo): string {
  return scripted ? name.replace(/\s*\(scripted\)$/i, '') : name;
}

/** Says that a model only plays a script. */
function ScriptedMark(): ReactElement {
  const t = useTranslations('common');
  return (
    <span className="shrink-0 rounded-full bg-accent-soft px-1.5 py-px text-[0.6875rem] font-medium text-accent-text">
      {t('scripted')}
    </span>
  );
}

function ModelList(props: { models: ModelInfo[]; chosen: string; onChoose: (id: string) => void }) {
  const t = useTranslations('composer');
  const { models, chosen, onChoose } = props;
  const [query, setQuery] = useState('');
  const words = query.trim().toLowerCase().split(/\s+/);
  const shown = models.filter(({ id, name, providerName }) =>
    words.every((word) => `${id} ${name} ${providerName}`.toLowerCase().includes(word)),
  );
  const recent = models.length >= many && query.trim() === '' ? recentModels() : [];
  const option = (model: ModelInfo) => ({
    id: model.id,
    label: <ModelRow model={model} chosen={model.id === chosen} />,
  });
  const last = recent.flatMap((id) => shown.find((model) => model.id === id) ?? []);
  const rest = shown.filter((model) => !last.includes(model));
  const byProvider = Map.groupBy(rest, ({ providerName }) => providerName);
  const groups = [
    { heading: t('recent'), options: last.map(option) },
    ...[...byProvider].map(([heading, own]) => ({ heading, options: own.map(option) })),
  ];
  return (
    <SearchList
      label={t('model')}
      placeholder={t('filterModels')}
      query={query}
      onQuery={setQuery}
      groups={groups}
      selected={chosen}
      onChoose={onChoose}
      nothing={t('noModels')}
    />
  );
}

function ModelRow({ model, chosen }: { model: ModelInfo; chosen: boolean }) {
  return (
    <>
      <span className="min-w-0 flex-1 truncate font-medium">{plainName(model)}</span>
      {model.scripted ? (
        <ScriptedMark />
      ) : (
        <span className="text-xs text-muted">
          <Capabilities model={model} />
        </span>
      )}
      <Check aria-hidden className={`text-accent-text ${chosen ? '' : 'invisible'}`} />
    </>
  );
}
