import { type ReactElement, useId } from 'react';
import { useTranslations } from 'use-intl';
import type { ToolSelection } from '#shared/message.ts';
import { useCatalog } from '../state/catalog.ts';
import { StateDot } from '../ui/state-dot.tsx';

const modes = ['auto', 'none', 'manual'] as const;
const modeText = {
  auto: { name: 'serversAuto', hint: 'serversAutoHint' },
  none: { name: 'serversNone', hint: 'serversNoneHint' },
  manual: { name: 'serversChoose', hint: 'serversChooseHint' },
} as const;

interface ServerChoiceProps {
  value: ToolSelection;
  onChange: (value: ToolSelection) => void;
}

/** All servers, none, or some of them; each with its live state. */
export function ServerChoice({ value, onChange }: ServerChoiceProps): ReactElement {
  const t = useTranslations('composer');
  const group = useId();
  const current = value.enabled ? value.mode : 'none';
  const choose = (mode: (typeof modes)[number]) =>
    onChange({
      enabled: mode !== 'none',
      mode: mode === 'manual' ? 'manual' : 'auto',
      selectedServers: value.selectedServers,
    });
  return (
    <div className="text-sm">
      <div role="radiogroup" aria-label={t('servers')}>
        {modes.map((mode) => (
          <label key={mode} className="menu-item cursor-pointer items-start">
            <input
              type="radio"
              name={group}
              checked={current === mode}
              onChange={() => choose(mode)}
              className="mt-1 size-3.5 shrink-0 accent-accent"
            />
            <span>
              <span className="block font-medium">{t(modeText[mode].name)}</span>
              <span className="block text-xs text-muted">{t(modeText[mode].hint)}</span>
            </span>
          </label>
        ))}
      </div>
      {current === 'manual' && (
        <ServerMarks
          chosen={value.selectedServers}
          onChange={(selectedServers) =>
            onChange({ enabled: true, mode: 'manual', selectedServers })
          }
        />
      )}
    </div>
  );
}

function ServerMarks(props: { chosen: string[]; onChange: (ids: string[]) => void }) {
  const servers = useCatalog((state) => state.servers);
  const toggle = (id: string) =>
    props.onChange(
      props.chosen.includes(id) ? props.chosen.filter((one) => one !== id) : [...props.chosen, id],
    );
  return (
    <div className="mt-1 max-h-60 overflow-y-auto border-t border-line pt-1">
      {servers.map(({ id, name, state }) => (
        <label key={id} className="menu-item cursor-pointer">
          <input
            type="checkbox"
            checked={props.chosen.includes(id)}
            onChange={() => toggle(id)}
            className="size-3.5 accent-accent"
          />
          <span className="flex-1 truncate">{name}</span>
          <StateDot state={state} />
        </label>
      ))}
    </div>
  );
}
