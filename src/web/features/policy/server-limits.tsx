import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerLimit } from '#shared/vocabulary/server-limit.ts';
import { api } from '../../state/session/api.ts';
import { SelectField } from '../../ui/controls/labelled.tsx';
import { useLoaded } from '../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';

interface ServerLimitsProps {
  /** Undefined: all servers. */
  limits: ServerLimit[] | undefined;
  onChange: (limits: ServerLimit[] | undefined) => void;
}

/** Which servers a key or a program may use, and which tools of them. */
export function ServerLimits({ limits, onChange }: ServerLimitsProps): ReactElement {
  const t = useTranslations('people');
  const { value, error } = useLoaded(() => api.servers.list(), '');
  return (
    <div className="space-y-2">
      <SelectField
        label={t('keyServers')}
        data-testid="key-servers"
        value={limits ? 'some' : 'all'}
        options={[
          ['all', t('allServers')],
          ['some', t('someServers')],
        ]}
        onChoose={(which) => onChange(which === 'some' ? [] : undefined)}
      />
      {limits && error && <ErrorNote error={error} />}
      {limits && (
        <ul className="max-h-56 overflow-y-auto rounded-xl border border-line px-3 py-1">
          {value?.servers.map(({ id, name }) => {
            const others = limits.filter((limit) => limit.id !== id);
            return (
              <KeyServer
                key={id}
                name={name}
                limit={limits.find((limit) => limit.id === id)}
                onUse={(used) => onChange(used ? [...others, { id }] : others)}
                onTools={(tools) => onChange([...others, toLimit(id, tools)])}
              />
            );
          })}
        </ul>
      )}
    </div>
  );
}

interface KeyServerProps {
  name: string;
  /** Undefined: it may not be used. */
  limit: ServerLimit | undefined;
  onUse: (used: boolean) => void;
  onTools: (tools: string) => void;
}

function KeyServer({ name, limit, onUse, onTools }: KeyServerProps) {
  const t = useTranslations('people');
  return (
    <li className="py-1.5" data-testid="key-server">
      <label className="flex min-h-6 items-center gap-2 text-sm pointer-coarse:min-h-9">
        <Checkbox checked={limit !== undefined} onCheck={onUse} />
        <span className="truncate">{name}</span>
      </label>
      {limit && (
        <input
          className="input mt-1.5 ml-6 w-[calc(100%-1.5rem)]"
          aria-label={t('keyTools', { name })}
          placeholder={t('allTools')}
          autoComplete="off"
          defaultValue={limit.tools?.join(', ') ?? ''}
          onChange={(event) => onTools(event.target.value)}
        />
      )}
    </li>
  );
}

/** Names of tools with commas; none: the whole server. */
function toLimit(id: string, text: string): ServerLimit {
  const tools = [...new Set(text.split(',').map((name) => name.trim()))].filter(Boolean);
  return tools.length > 0 ? { id, tools } : { id };
}
