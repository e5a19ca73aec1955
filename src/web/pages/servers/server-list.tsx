import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSearchParams } from 'wouter';
import type { ServerView } from '#shared/api/api.ts';
import type { ServerFix } from '#shared/vocabulary/server.ts';
import { useCatalog } from '../../state/catalog/catalog.ts';
import { findServers, type ServerFilter } from './find-servers.ts';
import { ServerCard } from './server-card.tsx';
import type { ServerDialog } from './server-dialogs.tsx';
import { FilterBox } from '../../ui/controls/filter-box.tsx';
import { Select } from '../../ui/controls/select.tsx';

/** From here on a list has to be searched. */
const many = 6;

/** The servers of this person, with a search where there are many. */
export function ServerList({
  onShow: show,
}: {
  onShow: (next: ServerDialog) => void;
}): ReactElement {
  const t = useTranslations('servers');
  const servers = useCatalog((state) => state.servers);
  const loaded = useCatalog((state) => state.serversLoaded);
  const wanted = useSearchParams()[0].get('show');
  const [filter, setFilter] = useState<ServerFilter>('all');
  const [query, setQuery] = useState('');
  const found = findServers(servers, filter, query);
  return (
    <>
      {servers.length > many && (
        <Finder {...{ filter, query }} onFilter={setFilter} onQuery={setQuery} />
      )}
      {loaded && found.length === 0 && (
        <p className="text-muted">{servers.length === 0 ? t('empty') : t('noneFound')}</p>
      )}
      <ul className="space-y-3">
        {found.map((server) => (
          <li key={server.id === wanted ? `wanted ${server.id}` : server.id}>
            <ServerCard
              server={server}
              wanted={server.id === wanted}
              onApprove={() => show({ dialog: 'approve', servers: [server] })}
              onEdit={() => show({ dialog: hasBundle(server) ? 'edit-bundle' : 'edit', server })}
              onFix={(fix) => show(fixDialog(server, fix))}
              onSignIn={() => show({ dialog: 'sign-in', server })}
              onUpdate={(update) => show({ dialog: 'update', update })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The form that makes a change; another address is another server, beside the one that was tried. */
function fixDialog(server: ServerView, fix: ServerFix): ServerDialog {
  if (fix.kind !== 'address') return { dialog: 'edit', server, fix };
  const entry = { [server.name]: { url: fix.url } };
  return { dialog: 'add', text: JSON.stringify({ mcpServers: entry }) };
}

function hasBundle({ config }: ServerView): boolean {
  return (config as { bundle?: object }).bundle !== undefined;
}

const filters = ['all', 'connected', 'waiting', 'off'] as const;

function Finder(props: {
  filter: ServerFilter;
  query: string;
  onFilter: (filter: ServerFilter) => void;
  onQuery: (query: string) => void;
}) {
  const t = useTranslations('servers');
  return (
    <div className="mb-4 flex gap-2">
      <FilterBox
        label={t('search')}
        value={props.query}
        onWrite={props.onQuery}
        className="min-w-0 flex-1"
        data-testid="search-servers"
      />
      <Select
        aria-label={t('filter')}
        value={props.filter}
        options={filters.map((filter) => [filter, t(`filters.${filter}`)] as const)}
        onChoose={props.onFilter}
        className="input w-auto max-w-[45%]"
      />
    </div>
  );
}
