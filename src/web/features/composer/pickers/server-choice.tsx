import { ChevronRight } from 'lucide-react';
import { type ReactElement, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ToolSelection } from '#shared/vocabulary/message.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import {
  ownServersFirst,
  reachableServers,
  tickedServers,
} from '../../../state/catalog/servers-in-use.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { StateDot } from '../../../ui/layout/state-dot.tsx';
import { ServerTools } from './server-tools.tsx';
import { FilterBox } from '../../../ui/controls/filter-box.tsx';

const modes = ['auto', 'none', 'manual'] as const;
type Mode = (typeof modes)[number];
const modeText = {
  auto: { name: 'serversAuto', hint: 'serversAutoHint' },
  none: { name: 'serversNone', hint: 'serversNoneHint' },
  manual: { name: 'serversChoose', hint: 'serversChooseHint' },
} as const;
/** From this many servers on they can be searched. */
const many = 6;

interface ServerChoiceProps {
  /** The conversation or assistant that the choice is for: it may have servers of its own. */
  topicId: string | null;
  assistantId: string | undefined;
  /** Which model answers. */
  model: string;
  value: ToolSelection;
  onChange: (value: ToolSelection) => void;
}

/** All servers, none, or some of them; each with its live state and its tools. */
export function ServerChoice(props: ServerChoiceProps): ReactElement {
  const { model, value, onChange } = props;
  const all = useCatalog((state) => state.servers);
  const scripted = useCatalog(({ models }) => models.find(({ id }) => id === model)?.scripted);
  const servers = ownServersFirst(reachableServers(all, props));
  const chosen = tickedServers(servers, value, { scripted: scripted ?? false }).map(({ id }) => id);
  const current = value.enabled ? value.mode : 'none';
  // Session servers are always there and need not be named.
  const named = (ids: string[]) =>
    ids.filter((id) => !servers.some((server) => server.id === id && server.attachedTo));
  const choose = (mode: Mode) =>
    onChange({
      enabled: mode !== 'none',
      mode: mode === 'manual' ? 'manual' : 'auto',
      selectedServers:
        mode === 'manual' && named(chosen).length > 0 ? named(chosen) : value.selectedServers,
    });
  const select = (ids: string[]) =>
    onChange({ enabled: true, mode: 'manual', selectedServers: named(ids) });
  return (
    <div className="text-sm">
      <ModeChoice value={current} onChoose={choose} />
      {current !== 'none' && <ServerMarks servers={servers} chosen={chosen} onSelect={select} />}
    </div>
  );
}

function ModeChoice({ value, onChoose }: { value: Mode; onChoose: (mode: Mode) => void }) {
  const t = useTranslations('composer');
  const group = useId();
  return (
    <div role="radiogroup" aria-label={t('servers')}>
      {modes.map((mode) => (
        <label key={mode} className="menu-item cursor-pointer items-start">
          <input
            type="radio"
            name={group}
            checked={value === mode}
            onChange={() => onChoose(mode)}
            className="mt-1 size-3.5 shrink-0 accent-accent"
          />
          <span>
            <span className="block font-medium">{t(modeText[mode].name)}</span>
            <span className="block text-xs text-muted">{t(modeText[mode].hint)}</span>
          </span>
        </label>
      ))}
    </div>
  );
}

const smallButton =
  'min-h-7 shrink-0 rounded-md px-2 text-xs text-muted hover:bg-hover hover:text-ink disabled:opacity-50 pointer-coarse:min-h-9';

interface ServerMarksProps {
  servers: ServerView[];
  chosen: string[];
  onSelect: (ids: string[]) => void;
}

function ServerMarks({ servers, chosen, onSelect }: ServerMarksProps) {
  const t = useTranslations('composer');
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const shown = servers.filter(({ name }) => name.toLowerCase().includes(wanted));
  const toggle = (id: string) =>
    onSelect(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <div className="mt-1 border-t border-line pt-1.5">
      <ChosenCount count={chosen.length} onClear={() => onSelect([])} />
      {servers.length >= many && (
        <FilterBox value={query} onWrite={setQuery} label={t('filterServers')} className="mb-1" />
      )}
      <ul className="max-h-60 overflow-y-auto" aria-label={t('servers')}>
        {shown.map((server) => (
          <ServerMark
            key={server.id}
            server={server}
            checked={chosen.includes(server.id)}
            isFixed={server.attachedTo !== undefined}
            onToggle={() => toggle(server.id)}
            onOnly={() => onSelect([server.id])}
          />
        ))}
      </ul>
      {shown.length === 0 && <p className="px-2.5 py-2 text-muted">{t('noServers')}</p>}
    </div>
  );
}

function ChosenCount({ count, onClear }: { count: number; onClear: () => void }) {
  const t = useTranslations('composer');
  return (
    <div className="mb-1 flex items-center justify-between gap-2 pl-2.5 text-xs text-muted">
      {t('serverCount', { count })}
      <button
        type="button"
        data-testid="no-servers"
        aria-label={t('selectNoneLabel')}
        disabled={count === 0}
        onClick={onClear}
        className={smallButton}
      >
        {t('selectNone')}
      </button>
    </div>
  );
}

interface ServerMarkProps {
  server: ServerView;
  checked: boolean;
  /** It belongs to the conversation: no choice leaves it out. */
  isFixed: boolean;
  onToggle: () => void;
  onOnly: () => void;
}

function ServerMark({ server, checked, isFixed, onToggle, onOnly }: ServerMarkProps) {
  const t = useTranslations('composer');
  const [open, setOpen] = useState(false);
  const list = useId();
  const isOff = server.state === 'draft' || server.state === 'disabled';
  return (
    <li data-testid="server-mark">
      <div className="group flex items-center">
        <ServerCheck {...{ server, checked, isFixed, isOff, onToggle }} />
        {!isOff && <OnlyButton name={server.name} onClick={onOnly} />}
        <IconButton
          label={t('toolsOf', { name: server.name })}
          size="small"
          disabled={isOff}
          aria-expanded={open}
          aria-controls={open ? list : undefined}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight className={`transition-transform ${open ? 'rotate-90' : ''}`} />
        </IconButton>
      </div>
      {open && (
        <div id={list} className="pb-1.5 pl-8.5">
          <ServerTools serverId={server.id} />
        </div>
      )}
    </li>
  );
}

function ServerCheck(props: Omit<ServerMarkProps, 'onOnly'> & { isOff: boolean }) {
  const { server, checked, isFixed, isOff, onToggle } = props;
  const t = useTranslations('composer');
  return (
    <label
      className={`menu-item min-w-0 flex-1 ${isOff ? 'opacity-60' : isFixed ? '' : 'cursor-pointer'}`}
    >
      <input
        type="checkbox"
        checked={checked}
        disabled={isOff || isFixed}
        onChange={onToggle}
        className="size-3.5 accent-accent"
      />
      <span className="min-w-0 truncate">
        {server.name}
        {isFixed && <span className="ml-1.5 text-xs text-muted">{t('alwaysHere')}</span>}
      </span>
      <StateDot state={server.state} />
    </label>
  );
}

/** Chooses this server and no other. */
function OnlyButton(props: { name: string; onClick: () => void }) {
  const t = useTranslations('composer');
  const { name, ...rest } = props;
  return (
    <button
      type="button"
      data-testid="only-server"
      {...rest}
      className={`${smallButton} group-hover:opacity-100 focus-visible:opacity-100 pointer-fine:opacity-0`}
    >
      {t('onlyServer')}
      <span className="sr-only">: {name}</span>
    </button>
  );
}
