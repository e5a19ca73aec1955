import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { loadServers } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { useIsAdmin } from '../../../state/session/session.ts';
import { useListed } from '../../../ui/hooks/use-listed.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { SelectTools, toggled } from './select-tools.tsx';
import { ToolRow } from './tool-row.tsx';
import type { QuickPolicy } from './use-quick-policy.ts';

/** From here on the tools have to be searched. */
const many = 8;

/** A server's tools: which are in use, what they may do, and how to try them. */
export function ToolsTab(props: { server: ServerView; policy: QuickPolicy }): ReactElement {
  const { server, policy } = props;
  const t = useTranslations('servers');
  const common = useTranslations('common');
  const isAdmin = useIsAdmin();
  const [query, setQuery] = useState('');
  const { disabledTools = [] } = server.config as Partial<ServerConfig>;
  const [disabled, disable] = useListed(disabledTools, async (switched) => {
    await api.servers.update(server.id, { disabledTools: switched });
    await loadServers();
  });
  const [picked, setPicked] = useState<ReadonlySet<string>>();
  // The verdict on each tool comes with it.
  const key = `${server.id} ${server.since} ${disabledTools.join(' ')} ${policy.writes}`;
  const { value, error } = useLoaded((signal) => api.servers.tools(server.id, signal), key);
  if (error) return <ErrorNote error={error} />;
  if (!value) return <p className="text-sm text-muted">{common('loading')}</p>;
  if (value.tools.length === 0) return <p className="text-sm text-muted">{t('noTools')}</p>;
  const found = value.tools.filter((tool) => fits(tool, query));
  return (
    <>
      {!server.builtin && isAdmin && <Trust serverId={server.id} policy={policy} />}
      {policy.error && <ErrorNote error={policy.error} />}
      {value.tools.length > many && (
        <input
          type="search"
          aria-label={t('searchTools')}
          placeholder={t('searchTools')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="input mb-2"
          data-testid="search-tools"
        />
      )}
      {value.tools.length > 1 && policy.policy && (
        <SelectTools
          serverId={server.id}
          names={found.map(({ name }) => name)}
          policy={policy}
          picked={picked}
          onPick={setPicked}
        />
      )}
      {found.length === 0 && <p className="text-sm text-muted">{t('noneFound')}</p>}
      <ul className="divide-y divide-line">
        {found.map((tool) => (
          <li key={tool.name} className="py-3 first:pt-1 last:pb-0" data-testid="tool">
            <ToolRow
              server={server}
              tool={{ ...tool, enabled: !disabled.has(tool.name) }}
              policy={policy}
              onEnable={(on) => disable([tool.name], !on)}
              pick={
                picked && {
                  checked: picked.has(tool.name),
                  onChange: (on) => setPicked(toggled(picked, tool.name, on)),
                }
              }
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function fits({ name, title = '', description }: ToolView, query: string): boolean {
  const text = `${name} ${title} ${description}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Whether the server is believed in what it says of its tools: an admin's to say. */
function Trust({ serverId, policy: state }: { serverId: string; policy: QuickPolicy }) {
  const t = useTranslations('servers');
  const { policy, busy, change } = state;
  if (!policy) return null;
  const { trustedServers } = policy;
  const trust = (on: boolean) =>
    change((now) => {
      const others = now.trustedServers.filter((each) => each !== serverId);
      return { trustedServers: on ? [...others, serverId] : others };
    });
  return (
    <label className="mb-2 flex min-h-9 items-center gap-2.5 text-sm pointer-coarse:min-h-11">
      <input
        type="checkbox"
        checked={trustedServers.includes(serverId)}
        disabled={busy}
        data-testid="trust"
        className="size-4 shrink-0 accent-accent"
        onChange={(event) => void trust(event.target.checked)}
      />
      <span>
        {t('trust')} <span className="text-xs text-muted">{t('trustHint')}</span>
      </span>
    </label>
  );
}
