import { Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation, useSearchParams } from 'wouter';
import type { ServerView } from '#shared/api/api.ts';
import type { ServerFix } from '#shared/vocabulary/server.ts';
import { loadServers, useCatalog } from '../../state/catalog/catalog.ts';
import { api } from '../../state/session/api.ts';
import { useSession } from '../../state/session/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { showFailure } from '../../ui/notices/notices.ts';
import { AddServer } from './edit/add-server.tsx';
import { EditServer } from './edit/edit-server.tsx';
import { ExportMenu } from './export-menu.tsx';
import { findServers, type ServerFilter } from './find-servers.ts';
import { EditBundle } from './bundles/edit-bundle.tsx';
import { isBundleFile, readImportFile } from './import/import-file.ts';
import { useFileDrop } from './import/use-file-drop.ts';
import { ApproveLaunch } from './launch/approve-launch.tsx';
import { ServerCard } from './server-card.tsx';
import { SignInDialog } from './sign-in/sign-in-dialog.tsx';

/** What the page asks or shows above its list. */
type Shown =
  | { dialog: 'add'; text?: string; bundle?: File }
  | { dialog: 'approve'; servers: ServerView[] }
  | { dialog: 'edit'; server: ServerView; fix?: ServerFix }
  | { dialog: 'edit-bundle' | 'sign-in'; server: ServerView };

/** From here on a list has to be searched. */
const many = 6;

/** All MCP servers: their states, tools and logs, and how to add one. */
export function ServersPage(): ReactElement {
  const t = useTranslations('servers');
  const servers = useCatalog((state) => state.servers);
  const loaded = useCatalog((state) => state.serversLoaded);
  const { shown, show, replace } = useShown();
  const wanted = useSearchParams()[0].get('show');
  // What a form offers goes by who opens it.
  const knowsWho = useSession(({ me }) => me !== null);
  const [filter, setFilter] = useState<ServerFilter>('all');
  const [query, setQuery] = useState('');
  const found = findServers(servers, filter, query);
  useFileDrop((file) => {
    if (isBundleFile(file)) return show({ dialog: 'add', bundle: file });
    readImportFile(file).then((text) => show({ dialog: 'add', text }), showFailure);
  });
  const actions = (
    <div className="flex flex-wrap gap-2">
      <ExportMenu />
      <Button variant="primary" onClick={() => show({ dialog: 'add' })} data-testid="add-server">
        <Plus aria-hidden />
        {t('add')}
      </Button>
    </div>
  );
  return (
    <Page title={t('title')} intro={t('intro')} action={actions}>
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
            />
          </li>
        ))}
      </ul>
      {shown && knowsWho && <Dialogs shown={shown} onReplace={(next) => replace(shown, next)} />}
    </Page>
  );
}

/** The form that makes a change; another address is another server, beside the one that was tried. */
function fixDialog(server: ServerView, fix: ServerFix): Shown {
  if (fix.kind !== 'address') return { dialog: 'edit', server, fix };
  const entry = { [server.name]: { url: fix.url } };
  return { dialog: 'add', text: JSON.stringify({ mcpServers: entry }) };
}

/** What is shown; links with `?install=…` and `?add` show the dialog, and are then forgotten. */
function useShown() {
  const [parameters] = useSearchParams();
  const [, navigate] = useLocation();
  const [shown, setShown] = useState<Shown | undefined>(() => {
    const install = parameters.get('install');
    if (install !== null) return { dialog: 'add', text: install };
    return parameters.has('add') ? { dialog: 'add' } : undefined;
  });
  const change: typeof setShown = (next) => {
    if (parameters.size > 0) navigate('/servers', { replace: true });
    setShown(next);
  };
  return {
    shown,
    show: (next: Shown) => change(next),
    /** Shows something, or nothing, in place of one dialog; whatever else is open by then stays. */
    replace: (old: Shown, next: Shown | undefined) => change((now) => (now === old ? next : now)),
  };
}

function Dialogs({ shown, onReplace }: { shown: Shown; onReplace: (next?: Shown) => void }) {
  const close = () => onReplace(undefined);
  const onAdded = (servers: ServerView[]) => {
    const held = servers.filter(({ state }) => state === 'draft' || state === 'disabled');
    onReplace(held.length > 0 ? { dialog: 'approve', servers: held } : undefined);
    // What comes of it is the server's state.
    for (const { id, state } of servers)
      if (state === 'idle') api.servers.act(id, 'connect').catch(() => undefined);
    loadServers().catch(showFailure);
  };
  switch (shown.dialog) {
    case 'add':
      return (
        <AddServer
          key={shown.text ?? shown.bundle?.name}
          text={shown.text}
          bundle={shown.bundle}
          onClose={close}
          onAdded={onAdded}
        />
      );
    case 'edit-bundle':
      return (
        <EditBundle
          server={shown.server}
          onClose={close}
          onSaved={(server) => onAdded([server])}
          onCommand={() => onReplace({ dialog: 'edit', server: shown.server })}
        />
      );
    case 'edit':
      return (
        <EditServer
          server={shown.server}
          fix={shown.fix}
          onClose={close}
          // Who switched it off does not want it connected.
          onSaved={(server) => onAdded(server.state === 'disabled' ? [] : [server])}
        />
      );
    case 'approve':
      return <ApproveLaunch servers={shown.servers} onClose={close} />;
    case 'sign-in':
      return <SignInDialog server={shown.server} onClose={close} />;
  }
}

function hasBundle({ config }: ServerView): boolean {
  return (config as { bundle?: object }).bundle !== undefined;
}

function Finder(props: {
  filter: ServerFilter;
  query: string;
  onFilter: (filter: ServerFilter) => void;
  onQuery: (query: string) => void;
}) {
  const t = useTranslations('servers');
  return (
    <div className="mb-4 flex flex-wrap gap-2">
      <input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={props.query}
        onChange={(event) => props.onQuery(event.target.value)}
        className="input min-w-0 flex-1 basis-40"
        data-testid="search-servers"
      />
      <select
        aria-label={t('filter')}
        value={props.filter}
        onChange={(event) => props.onFilter(event.target.value as ServerFilter)}
        className="input w-auto"
      >
        {(['all', 'connected', 'waiting', 'off'] as const).map((filter) => (
          <option key={filter} value={filter}>
            {t(`filters.${filter}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
