import { Check, Cpu } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ModelInfo } from '#shared/model.ts';
import { loadModels, useCatalog } from '../state/catalog.ts';
import { showFailure } from '../state/notices.ts';
import { PopOver } from '../ui/pop-over.tsx';
import { Capabilities } from './capabilities.tsx';
import { Parameters } from './parameters.tsx';
import { PickerButton } from './picker-button.tsx';
import { useChatSettings } from './use-chat-settings.ts';

const many = 7;

/** Chooses the model of the conversation, and its parameters. */
export function ModelPicker({ topicId }: { topicId: string | null }): ReactElement {
  const t = useTranslations('composer');
  const [open, setOpen] = useState(false);
  useEffect(() => {
    // What was tried out in the background since is worth knowing now.
    if (open) loadModels().catch(showFailure);
  }, [open]);
  const models = useCatalog((state) => state.models);
  const settings = useChatSettings(topicId);
  const current = models.find(({ id }) => id === settings.model);
  const trigger = (
    <PickerButton icon={<Cpu />} label={t('model')} data-testid="model-picker">
      <span className="truncate">{current ? plainName(current) : settings.model}</span>
      {current?.scripted && <ScriptedMark />}
    </PickerButton>
  );
  return (
    <PopOver trigger={trigger} label={t('model')} open={open} onOpenChange={setOpen} width="w-80">
      {(close) => (
        <>
          <ModelList
            models={models}
            chosen={settings.model}
            onChoose={(model) => {
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
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const shown = props.models.filter(({ id, name }) =>
    `${id} ${name}`.toLowerCase().includes(wanted),
  );
  return (
    <div>
      {props.models.length > many && (
        <input
          type="search"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          aria-label={t('filterModels')}
          placeholder={t('filterModels')}
          className="input mb-1.5"
        />
      )}
      <div role="group" aria-label={t('model')} className="max-h-64 overflow-y-auto">
        {shown.map((model) => (
          <button
            key={model.id}
            type="button"
            aria-pressed={model.id === props.chosen}
            onClick={() => props.onChoose(model.id)}
            className="menu-item"
          >
            <span className="min-w-0 flex-1">
              <span className="flex items-center gap-2">
                <span className="truncate font-medium">{plainName(model)}</span>
                {model.scripted && <ScriptedMark />}
              </span>
              <span className="flex items-center gap-2 text-xs text-muted">
                <span className="min-w-0 truncate">{model.provider}</span>
                {!model.scripted && <Capabilities model={model} />}
              </span>
            </span>
            {model.id === props.chosen && <Check aria-hidden className="text-accent-text" />}
          </button>
        ))}
        {shown.length === 0 && <p className="px-2.5 py-2 text-muted">{t('noModels')}</p>}
      </div>
    </div>
  );
}
