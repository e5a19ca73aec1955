import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ChosenParameters } from '#shared/vocabulary/model.ts';
import { useCatalog } from '../../state/catalog/catalog.ts';
import type { NewChat } from '../../state/chat/new-chat.ts';
import { Disclosure } from '../../ui/controls/disclosure.tsx';

/** How much a model may think first. */
export const efforts = ['none', 'low', 'medium', 'high'] as const;
/** The words for each. */
export const effortText = {
  none: 'effortNone',
  low: 'effortLow',
  medium: 'effortMedium',
  high: 'effortHigh',
  auto: 'effortAuto',
} as const;

interface ParametersProps {
  value: ChosenParameters;
  onChange: (patch: NewChat) => void;
}

/** What may be tuned of a model; empty means the vendor's default. */
export function Parameters({ value, onChange }: ParametersProps): ReactElement {
  const t = useTranslations('composer');
  const set = (patch: Partial<Record<keyof ChosenParameters, number | string | undefined>>) => {
    const next = Object.entries({ ...value, ...patch }).filter(([, item]) => item !== undefined);
    const parameters = Object.fromEntries(next) as ChosenParameters;
    onChange({ parameters: next.length === 0 ? null : parameters });
  };
  return (
    <Disclosure
      summary={t('parameters')}
      className="mt-1.5 border-t border-line px-2.5 pt-1.5 pb-1"
    >
      {() => (
        <div className="space-y-3 pt-2 pb-1.5">
          <Slider
            label={t('temperature')}
            max={2}
            value={value.temperature}
            onChange={(temperature) => set({ temperature })}
          />
          <Slider label={t('topP')} max={1} value={value.topP} onChange={(topP) => set({ topP })} />
          <MostTokens
            value={value.maxOutputTokens}
            onChange={(maxOutputTokens) => set({ maxOutputTokens })}
          />
          <EffortField
            value={value.reasoningEffort}
            onChoose={(reasoningEffort) => set({ reasoningEffort })}
          />
        </div>
      )}
    </Disclosure>
  );
}

interface MostTokensProps {
  value: number | undefined;
  onChange: (tokens: number | undefined) => void;
}

function MostTokens({ value, onChange }: MostTokensProps) {
  const t = useTranslations('composer');
  return (
    <label className="flex items-center justify-between gap-3">
      {t('maxTokens')}
      <input
        type="number"
        min={1}
        step={1}
        key={value}
        defaultValue={value}
        placeholder={t('modelDefault')}
        onBlur={(event) => {
          const tokens = Math.floor(event.target.valueAsNumber);
          onChange(tokens > 0 ? tokens : undefined);
        }}
        className="input w-32 py-1"
      />
    </label>
  );
}

function EffortField(props: {
  value: ChosenParameters['reasoningEffort'];
  onChoose: (effort: string | undefined) => void;
}) {
  const { value, onChoose } = props;
  const t = useTranslations('composer');
  return (
    <label className="flex items-center justify-between gap-3">
      {t('effort')}
      <select
        value={value ?? ''}
        onChange={(event) => onChoose(event.target.value || undefined)}
        className="input w-32 py-1"
      >
        <EffortOptions chosen={value} />
      </select>
    </label>
  );
}

/** The efforts to choose from; where one is usual here, also the vendor's own. */
export function EffortOptions({
  chosen,
}: {
  chosen: ChosenParameters['reasoningEffort'];
}): ReactElement {
  const t = useTranslations('composer');
  const usual = useCatalog((state) => state.reasoningEffort);
  return (
    <>
      <option value="">
        {usual ? t('usualEffort', { effort: t(effortText[usual]) }) : t('modelDefault')}
      </option>
      {(usual || chosen === 'auto') && <option value="auto">{t('effortAuto')}</option>}
      {efforts.map((effort) => (
        <option key={effort} value={effort}>
          {t(effortText[effort])}
        </option>
      ))}
    </>
  );
}

interface SliderProps {
  label: string;
  max: number;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}

/** Follows the finger at once and tells the host when it is let go. */
function Slider({ label, max, value, onChange }: SliderProps) {
  const t = useTranslations('composer');
  const [moving, setMoving] = useState<number>();
  const shown = moving ?? value;
  const commit = () => {
    if (moving !== undefined) onChange(moving);
    setMoving(undefined);
  };
  return (
    <label className="block">
      <span className="flex justify-between gap-3">
        {label}
        <span className="text-muted tabular-nums">{shown ?? t('modelDefault')}</span>
      </span>
      <span className="flex items-center gap-2">
        <input
          type="range"
          min={0}
          max={max}
          step={0.05}
          value={shown ?? max / 2}
          onChange={(event) => setMoving(event.target.valueAsNumber)}
          onPointerUp={commit}
          onKeyUp={commit}
          onBlur={commit}
          className={`h-6 w-full accent-accent ${shown === undefined ? 'opacity-50' : ''}`}
        />
        <Reset disabled={value === undefined} onClick={() => onChange(undefined)} />
      </span>
    </label>
  );
}

function Reset(props: { disabled: boolean; onClick: () => void }) {
  const t = useTranslations('composer');
  return (
    <button
      type="button"
      {...props}
      className="shrink-0 rounded-md px-1.5 py-1 text-xs text-muted hover:bg-hover hover:text-ink disabled:invisible"
    >
      {t('reset')}
    </button>
  );
}
