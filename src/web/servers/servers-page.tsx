import { Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api.ts';
import { serversApi } from '../api/servers-api.ts';
import { loadServers, useCatalog } from '../state/catalog.ts';
import { showFailure } from '../state/notices.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { AddServer } from './add-server.tsx';
import { ApproveLaunch } from './approve-launch.tsx';
import { ServerCard } from './server-card.tsx';
import { SignInDialog } from './sign-in-dialog.tsx';

/** All MCP servers: their states, tools and logs, and how to add one. */
export function ServersPage(): ReactElement {
  const t = useTranslations('servers');
  const servers = useCatalog((state) => state.servers);
  const loaded = useCatalog((state) => state.serversLoaded);
  const [adding, setAdding] = useState(false);
  const [approving, setApproving] = useState<ServerView | null>(null);
  const [signingIn, setSigningIn] = useState<ServerView | null>(null);
  const onAdded = (server: ServerView) => {
    setAdding(false);
    if (server.state === 'draft') setApproving(server);
    // What comes of it is the server's state.
    else serversApi.act(server.id, 'connect').catch(() => undefined);
    loadServers().catch(showFailure);
  };
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)} data-testid="add-server">
      <Plus aria-hidden />
      {t('add')}
    </Button>
  );
  return (
    <Page title={t('title')} intro={t('intro')} action={add}>
      {loaded && servers.length === 0 && <p className="text-muted">{t('empty')}</p>}
      <ul className="space-y-3">
        {servers.map((server) => (
          <li key={server.id}>
            <ServerCard
              server={server}
              onApprove={() => setApproving(server)}
              onSignIn={() => setSigningIn(server)}
            />
          </li>
        ))}
      </ul>
      {adding && <AddServer onClose={() => setAdding(false)} onAdded={onAdded} />}
      {approving && <ApproveLaunch server={approving} onClose={() => setApproving(null)} />}
      {signingIn && <SignInDialog server={signingIn} onClose={() => setSigningIn(null)} />}
    </Page>
  );
}
