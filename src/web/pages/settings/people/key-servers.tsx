import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerLimit } from '#shared/vocabulary/server-limit.ts';
import { api } from '../../../state/session/api.ts';
import { Field } from '../../../ui/controls/field.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';

interface KeyServersProps {
  /** Undefined: all servers. */
  limits: ServerLimit[] | undefined;
  onChange: (limits: ServerLimit[] | undefined) => void;
}

/** Which servers a key may use, and which tools of them. */
export function KeyServers({ limits, onChange }: KeyServersProps): ReactElement {
  const t = useTranslations('people');
  const { value, error } = useLoaded(() => api.servers.list(), '');
  const of = (id: string) => limits?.find((limit) => limit.id === id);
  const others = (id: string) => (limits ?? []).filter((limit) => limit.id !== id);
  return (
    <div className="space-y-2">
      <Field label={t('keyServers')}>
        {(ids) => (
          <select
            {...ids}
            data-testid="key-servers"
            value={limits ? 'some' : 'all'}
            onChange={(event) => onChange(event.target.value === 'some' ? [] : undefined)}
            className="input"
          >
            <option value="all">{t('allServers')}</option>
            <option value="some">{t('someServers')}</option>
          </select>
        )}
      </Field>
      {limits && error && <ErrorNote error={error} />}
      {limits && (
        <ul className="max-h-56 overflow-y-auto rounded-xl border border-line px-3 py-1">
          {value?.servers.map(({ id, name }) => (
            <li key={id} className="py-1.5" data-testid="key-server">
              <label className="flex min-h-6 items-center gap-2 text-sm pointer-coarse:min-h-9">
                <input
                  type="checkbox"
                  className="accent-accent"
                  checked={of(id) !== undefined}
                  onChange={(event) =>
                    onChange(event.target.checked ? [...others(id), { id }] : others(id))
                  }
                />
                <span className="truncate">{name}</span>
              </label>
              {of(id) && (
                <input
                  className="input mt-1.5 ml-6 w-[calc(100%-1.5rem)]"
                  aria-label={t('keyTools', { name })}
                  placeholder={t('allTools')}
                  autoComplete="off"
                  defaultValue={of(id)?.tools?.join(', ') ?? ''}
                  onChange={(event) => onChange([...others(id), toLimit(id, event.target.value)])}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Names of tools with commas; none: the whole server. */
function toLimit(id: string, text: string): ServerLimit {
  const tools = [...new Set(text.split(',').map((name) => name.trim()))].filter(Boolean);
  return tools.length > 0 ? { id, tools } : { id };
}
