import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView, ToolView } from '#shared/api/api.ts';
import type { ServerConfig } from '#shared/vocabulary/server.ts';
import { loadServers, readTools } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { useIsAdmin } from '../../../state/session/session.ts';
import { useListed } from '../../../ui/hooks/use-listed.ts';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { toggled } from '../../../ui/controls/toggled.ts';
import { SelectTools } from './select-tools.tsx';
import { ToolRow } from './tool-row.tsx';
import type { QuickPolicy } from './use-quick-policy.ts';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { FilterBox } from '../../../ui/controls/filter-box.tsx';

/** From here on the tools have to be searched. */
const many = 8;

/** A server's tools: which are in use, what they may do, and how to try them. */
export function ToolsTab(props: ToolsProps): ReactElement {
  const { server, policy } = props;
  const t = useTranslations('servers');
  const common = useTranslations('common');
  const { disabledTools = [] } = server.config as Partial<ServerConfig>;
  // The verdict on each tool comes with it.
  const key = `${server.id} ${server.since} ${disabledTools.join(' ')} ${policy.writes}`;
  const { value, error } = useLoaded((signal) => readTools(server.id, signal), key);
  if (error) return <ErrorNote error={error} />;
  if (!value) return <p className="text-sm text-muted">{common('loading')}</p>;
  if (value.tools.length === 0) return <p className="text-sm text-muted">{t('noTools')}</p>;
  return <Tools {...props} tools={value.tools} />;
}

interface ToolsProps {
  server: ServerView;
  policy: QuickPolicy;
}

function Tools({ server, policy, tools }: ToolsProps & { tools: ToolView[] }) {
  const t = useTranslations('servers');
  const isAdmin = useIsAdmin();
  const [query, setQuery] = useState('');
  const [picked, setPicked] = useState<ReadonlySet<string>>();
  const found = tools.filter((tool) => fits(tool, query));
  return (
    <>
      {!server.builtin && isAdmin && <Trust serverId={server.id} policy={policy} />}
      {policy.error && <ErrorNote error={policy.error} />}
      {tools.length > many && (
        <FilterBox
          label={t('searchTools')}
          value={query}
          onWrite={setQuery}
          className="mb-2"
          data-testid="search-tools"
        />
      )}
      {tools.length > 1 && policy.policy && (
        <SelectTools
          serverId={server.id}
          names={found.map(({ name }) => name)}
          policy={policy}
          picked={picked}
          onPick={setPicked}
        />
      )}
      {found.length === 0 && <p className="text-sm text-muted">{t('noneFound')}</p>}
      <ToolRows {...{ server, policy, tools: found, picked }} onPick={setPicked} />
    </>
  );
}

interface ToolRowsProps extends ToolsProps {
  tools: ToolView[];
  picked: ReadonlySet<string> | undefined;
  onPick: (picked: ReadonlySet<string>) => void;
}

function ToolRows({ server, policy, tools, picked, onPick }: ToolRowsProps) {
  const { disabledTools = [] } = server.config as Partial<ServerConfig>;
  const [disabled, disable] = useListed(disabledTools, async (switched) => {
    await api.servers.update(server.id, { disabledTools: switched });
    await loadServers();
  });
  const pickOf = (name: string) =>
    picked && {
      checked: picked.has(name),
      onChange: (on: boolean) => onPick(toggled(picked, name, on)),
    };
  return (
    <ul className="divide-y divide-line">
      {tools.map((tool) => (
        <li key={tool.name} className="py-3 first:pt-1 last:pb-0" data-testid="tool">
          <ToolRow
            server={server}
            tool={{ ...tool, enabled: !disabled.has(tool.name) }}
            policy={policy}
            onEnable={(on) => disable([tool.name], !on)}
            pick={pickOf(tool.name)}
          />
        </li>
      ))}
    </ul>
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
      <Checkbox
        checked={trustedServers.includes(serverId)}
        disabled={busy}
        data-testid="trust"
        onCheck={(on) => void trust(on)}
      />
      <span>
        {t('trust')} <span className="text-xs text-muted">{t('trustHint')}</span>
      </span>
    </label>
  );
}
