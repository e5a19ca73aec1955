import { Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { InstallRequestView } from '#shared/api/registry-api.ts';
import { useCatalog } from '../../state/catalog/catalog.ts';
import { loadRequests } from '../../state/inbox/requests.ts';
import { api } from '../../state/session/api.ts';
import { useSession } from '../../state/session/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { showFailure } from '../../ui/notices/notices.ts';
import { DiscoverList } from './discover/discover-list.tsx';
import { RequestList } from './discover/request-list.tsx';
import { ExportMenu } from './export-menu.tsx';
import { isBundleFile, readImportFile } from './import/import-file.ts';
import { useFileDrop } from './import/use-file-drop.ts';
import { useTextPaste } from './import/use-text-paste.ts';
import { ServerDialogs, type ServerDialog } from './server-dialogs.tsx';
import { ServerList } from './server-list.tsx';

type ServersSection = 'installed' | 'discover';

/** All MCP servers: their states, tools and logs, and how to add one. */
export function ServersPage({ section }: { section: ServersSection }): ReactElement {
  const t = useTranslations('servers');
  const { shown, show, replace } = useSelection();
  // What a form offers goes by who opens it.
  const knowsWho = useSession(({ me }) => me !== null);
  useFileDrop((file) => {
    if (isBundleFile(file)) return show({ dialog: 'add', bundle: file });
    readImportFile(file).then((text) => show({ dialog: 'add', text }), showFailure);
  });
  useTextPaste((text) => show({ dialog: 'add', text }));
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
      <Sections section={section} />
      <RequestList onReview={(request) => void review(request, show).catch(showFailure)} />
      {section === 'discover' ? <Discover onShow={show} /> : <Installed onShow={show} />}
      {shown && knowsWho && (
        <ServerDialogs shown={shown} onReplace={(next) => replace(shown, next)} />
      )}
    </Page>
  );
}

interface SectionProps {
  onShow: (dialog: ServerDialog) => void;
}

function Discover({ onShow, most }: SectionProps & { most?: number }) {
  return (
    <DiscoverList
      most={most}
      onChoose={(entry) => onShow({ dialog: 'install', entry })}
      onUpdate={(update) => onShow({ dialog: 'update', update })}
    />
  );
}

function Installed({ onShow }: SectionProps) {
  const isEmpty = useCatalog(
    ({ servers, serversLoaded }) => serversLoaded && servers.every(({ builtin }) => builtin),
  );
  return (
    <>
      {isEmpty && (
        <div className="mb-8">
          <Discover most={4} onShow={onShow} />
        </div>
      )}
      <ServerList onShow={onShow} />
    </>
  );
}

async function review(request: InstallRequestView, show: SectionProps['onShow']): Promise<void> {
  const { registry, name, version, place } = request;
  const wanted = { registry, name, version, only: [place] };
  const { entry, entries } = await api.registry.install({ ...wanted, dryRun: true });
  if (!entries[0]?.exists) return show({ dialog: 'install', entry, request });
  // Everybody can use it already: that is all there is to say.
  await api.registry.install({ ...wanted, request: request.id });
  await loadRequests();
}

/** What is shown; links with `?install=…`, `?add` and `?add&topic=…` show the dialog, and are then forgotten. */
function useSelection() {
  const [parameters] = useSearchParams();
  const [, navigate] = useLocation();
  const [shown, setShown] = useState<ServerDialog | undefined>(() => {
    const install = parameters.get('install');
    if (install !== null) return { dialog: 'add', text: install };
    if (!parameters.has('add')) return undefined;
    const topic = parameters.get('topic');
    return { dialog: 'add', ...(topic && { attachedTo: { topic } }) };
  });
  const change: typeof setShown = (next) => {
    if (parameters.size > 0) navigate('/servers', { replace: true });
    setShown(next);
  };
  return {
    shown,
    show: (next: ServerDialog) => change(next),
    /** Shows something, or nothing, in place of one dialog; whatever else is open by then stays. */
    replace: (old: ServerDialog, next: ServerDialog | undefined) =>
      change((now) => (now === old ? next : now)),
  };
}

function Sections({ section }: { section: ServersSection }) {
  const t = useTranslations('discover');
  const links = [
    { id: 'installed', href: '/servers', label: t('installed') },
    { id: 'discover', href: '/servers/discover', label: t('title') },
  ];
  return (
    <nav aria-label={t('sections')} className="mb-5 flex gap-1 border-b border-line pb-3">
      {links.map(({ id, href, label }) => (
        <Link
          key={id}
          href={href}
          aria-current={id === section ? 'page' : undefined}
          data-testid={`servers-${id}`}
          className={`rounded-md px-2.5 py-1.5 text-sm hover:text-ink pointer-coarse:py-2.5 ${id === section ? 'bg-hover text-ink' : 'text-muted'}`}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
