import { ChevronRight } from 'lucide-react';
import { type ReactElement, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ToolSelection } from '#shared/vocabulary/message.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import {
  ownServersFirst,
  reachableServers,
  selectedServers,
} from '../../../state/catalog/servers-in-use.ts';
import { useChatSettings } from '../../../state/chat/use-chat-settings.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { StateDot } from '../../../ui/layout/state-dot.tsx';
import { ServerTools } from './server-tools.tsx';

const modes = ['auto', 'none', 'manual'] as const;
const modeText = {
  auto: { name: 'serversAuto', hint: 'serversAutoHint' },
  none: { name: 'serversNone', hint: 'serversNoneHint' },
  manual: { name: 'serversChoose', hint: 'serversChooseHint' },
} as const;
/** From this many servers on they can be searched. */
const many = 6;

interface ServerChoiceProps {
  topicId: string | null;
  value: ToolSelection;
  onChange: (value: ToolSelection) => void;
}

/** All servers, none, or some of them; each with its live state and its tools. */
export function ServerChoice({ topicId, value, onChange }: ServerChoiceProps): ReactElement {
  const t = useTranslations('composer');
  const group = useId();
  const { assistant } = useChatSettings(topicId);
  const all = useCatalog((state) => state.servers);
  const servers = ownServersFirst(reachableServers(all, { topicId, assistantId: assistant?.id }));
  const chosen = selectedServers(servers, value).map(({ id }) => id);
  const current = value.enabled ? value.mode : 'none';
  const choose = (mode: (typeof modes)[number]) =>
    onChange({
      enabled: mode !== 'none',
      mode: mode === 'manual' ? 'manual' : 'auto',
      selectedServers: mode === 'manual' && chosen.length > 0 ? chosen : value.selectedServers,
    });
  const select = (ids: string[]) =>
    onChange({ enabled: true, mode: 'manual', selectedServers: ids });
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
      {current !== 'none' && <ServerMarks servers={servers} chosen={chosen} onSelect={select} />}
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
      <div className="mb-1 flex items-center justify-between gap-2 pl-2.5 text-xs text-muted">
        {t('serverCount', { count: chosen.length })}
        <button
          type="button"
          data-testid="no-servers"
          aria-label={t('selectNoneLabel')}
          disabled={chosen.length === 0}
          onClick={() => onSelect([])}
          className={smallButton}
        >
          {t('selectNone')}
        </button>
      </div>
      {servers.length >= many && (
        <input
          type="search"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          aria-label={t('filterServers')}
          placeholder={t('filterServers')}
          className="input mb-1"
        />
      )}
      <ul className="max-h-60 overflow-y-auto" aria-label={t('servers')}>
        {shown.map((server) => (
          <ServerMark
            key={server.id}
            server={server}
            checked={chosen.includes(server.id)}
            onToggle={() => toggle(server.id)}
            onOnly={() => onSelect([server.id])}
          />
        ))}
      </ul>
      {shown.length === 0 && <p className="px-2.5 py-2 text-muted">{t('noServers')}</p>}
    </div>
  );
}

interface ServerMarkProps {
  server: ServerView;
  checked: boolean;
  onToggle: () => void;
  onOnly: () => void;
}

function ServerMark({ server, checked, onToggle, onOnly }: ServerMarkProps) {
  const t = useTranslations('composer');
  const [open, setOpen] = useState(false);
  const list = useId();
  const isOff = server.state === 'draft' || server.state === 'disabled';
  return (
    <li data-testid="server-mark">
      <div className="group flex items-center">
        <label className={`menu-item min-w-0 flex-1 ${isOff ? 'opacity-60' : 'cursor-pointer'}`}>
          <input
            type="checkbox"
            checked={checked}
            disabled={isOff}
            onChange={onToggle}
            className="size-3.5 accent-accent"
          />
          <span className="min-w-0 flex-1 truncate">{server.name}</span>
          <StateDot state={server.state} />
        </label>
        <button
          type="button"
          data-testid="only-server"
          disabled={isOff}
          onClick={onOnly}
          className={`${smallButton} group-hover:opacity-100 focus-visible:opacity-100 pointer-fine:opacity-0`}
        >
          {t('onlyServer')}
          <span className="sr-only">: {server.name}</span>
        </button>
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
