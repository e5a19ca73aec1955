import { ChevronRight, Pencil, Trash2 } from 'lucide-react';
import { type ReactElement, type Ref, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ServerUpdate } from '#shared/api/registry-api.ts';
import type { ServerFix } from '#shared/vocabulary/server.ts';
import { loadServers } from '../../state/catalog/catalog.ts';
import { api } from '../../state/session/api.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { ConfirmDelete } from '../../ui/dialog/confirm.tsx';
import { type DetailsTab, ServerDetails } from './details/server-details.tsx';
import { InstalledFrom } from './discover/installed-from.tsx';
import { ServerActions } from './server-actions.tsx';
import { ServerHeadline } from './server-headline.tsx';
import { ServerProgress } from './server-progress.tsx';
import { ServerReason } from './server-reason.tsx';
import { SignedInRow } from './sign-in/signed-in-row.tsx';

interface ServerCardProps {
  server: ServerView;
  /** The reader came for this one: it is opened and in sight. */
  wanted: boolean;
  onApprove: () => void;
  onEdit: () => void;
  onFix: (fix: ServerFix) => void;
  onSignIn: () => void;
  onUpdate: (update: ServerUpdate) => void;
}

/** One server: its state with the reason, what can be done, and its details on demand. */
export function ServerCard(props: ServerCardProps): ReactElement {
  const { server, wanted, onApprove, onEdit, onFix, onSignIn, onUpdate } = props;
  const { open, setOpen, toggle } = useOpen(wanted);
  const [tab, setTab] = useState<DetailsTab>('tools');
  const id = useId();
  const showWhy = () => {
    setTab('why');
    setOpen(true);
  };
  const isRemote = server.type === 'streamableHttp' || server.type === 'sse';
  return (
    <section className="card overflow-clip" data-testid="server" data-state={server.state}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2 pr-3 pl-1.5">
        <CardToggle ref={toggle} server={server} open={open} id={id} onToggle={setOpen} />
        <div className="ml-auto flex items-center gap-1.5">
          <ServerActions server={server} onApprove={onApprove} onSignIn={onSignIn} />
          {!server.builtin && !server.readOnly && <OwnActions server={server} onEdit={onEdit} />}
        </div>
      </div>
      {server.state === 'installing' && <ServerProgress server={server} />}
      {server.reason && <ServerReason server={server} onFix={onFix} onWhy={showWhy} />}
      {isRemote && !server.readOnly && <SignedInRow server={server} />}
      {open && (
        <div id={id} className="border-t border-line">
          {server.installedFrom && (
            <div className="px-3.5 pt-3">
              <InstalledFrom server={server} onUpdate={onUpdate} />
            </div>
          )}
          <ServerDetails server={server} tab={tab} onTab={setTab} />
        </div>
      )}
    </section>
  );
}

/** What whom the server belongs to can do with it. */
function OwnActions({ server, onEdit }: Pick<ServerCardProps, 'server' | 'onEdit'>) {
  const t = useTranslations('servers');
  return (
    <>
      <IconButton label={t('edit')} onClick={onEdit} data-testid="edit-server">
        <Pencil />
      </IconButton>
      <DeleteServer server={server} />
    </>
  );
}

interface CardToggleProps {
  ref: Ref<HTMLButtonElement>;
  server: ServerView;
  open: boolean;
  /** Of what it opens. */
  id: string;
  onToggle: (open: boolean) => void;
}

function CardToggle({ ref, server, open, id, onToggle }: CardToggleProps) {
  return (
    <button
      ref={ref}
      type="button"
      aria-expanded={open}
      aria-controls={open ? id : undefined}
      onClick={() => onToggle(!open)}
      className="flex min-w-0 flex-1 basis-60 items-center gap-3 rounded-lg px-2 py-1.5 text-left hover:bg-hover"
    >
      <ChevronRight
        aria-hidden
        className={`size-4 shrink-0 text-muted transition-transform ${open ? 'rotate-90' : ''}`}
      />
      <ServerHeadline server={server} />
    </button>
  );
}

function DeleteServer({ server }: { server: ServerView }) {
  const t = useTranslations('servers');
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      <IconButton label={t('deleteTitle')} onClick={() => setDeleting(true)}>
        <Trash2 />
      </IconButton>
      <ConfirmDelete
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('deleteTitle')}
        text={t('deleteText', { name: server.name })}
        action={async () => {
          await api.servers.remove(server.id);
          await loadServers();
        }}
      />
    </>
  );
}

/** Whether its details are shown: at the reader's press, and from the beginning if they came for it. */
function useOpen(wanted: boolean) {
  const [open, setOpen] = useState(wanted);
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!wanted) return;
    toggle.current?.scrollIntoView({ block: 'center' });
    toggle.current?.focus();
  }, [wanted]);
  return { open, setOpen, toggle };
}
