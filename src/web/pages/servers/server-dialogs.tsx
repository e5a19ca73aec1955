import type { ReactElement } from 'react';
import type { ServerView } from '#shared/api/api.ts';
import type { InstallRequestView, RegistryEntry, ServerUpdate } from '#shared/api/registry-api.ts';
import type { Attachment, ServerFix } from '#shared/vocabulary/server.ts';
import { loadRequests } from '../../state/inbox/requests.ts';
import { loadServers } from '../../state/catalog/catalog.ts';
import { api } from '../../state/session/api.ts';
import { showFailure } from '../../ui/notices/notices.ts';
import { EditBundle } from './bundles/edit-bundle.tsx';
import { InstallEntry } from './discover/install-entry.tsx';
import { UpdateServer } from './discover/update-server.tsx';
import { AddServer } from './edit/add-server.tsx';
import { EditServer } from './edit/edit-server.tsx';
import { ApproveLaunch } from './launch/approve-launch.tsx';
import { ApprovedServers } from './launch/approved-servers.tsx';
import { SignInDialog } from './sign-in/sign-in-dialog.tsx';
import { TryDialog } from './tools/try-dialog.tsx';

/** What the page asks or shows above its list. */
export type ServerDialog =
  | { dialog: 'add'; text?: string; bundle?: File; attachedTo?: Attachment }
  | { dialog: 'install'; entry: RegistryEntry; request?: InstallRequestView }
  | { dialog: 'update'; update: ServerUpdate }
  | { dialog: 'approve' | 'approved'; servers: ServerView[] }
  | OneServerDialog;

/** What is asked or shown of one server. */
type OneServerDialog =
  | { dialog: 'edit'; server: ServerView; fix?: ServerFix }
  | { dialog: 'try'; server: ServerView; toolName: string }
  | { dialog: 'edit-bundle' | 'sign-in'; server: ServerView };

interface DialogsProps<Shown extends ServerDialog> {
  shown: Shown;
  onReplace: (next?: ServerDialog) => void;
}

/** The dialog that is open; one may lead to the next. */
export function ServerDialogs({ shown, onReplace }: DialogsProps<ServerDialog>): ReactElement {
  const given = {
    onClose: () => onReplace(),
    onAdded: (servers: ServerView[]) => leadOn(servers, onReplace),
    onTry: (server: ServerView, toolName: string) => onReplace({ dialog: 'try', server, toolName }),
  };
  switch (shown.dialog) {
    case 'add':
      return (
        <AddServer
          key={shown.text ?? shown.bundle?.name}
          {...given}
          text={shown.text}
          bundle={shown.bundle}
          attachedTo={shown.attachedTo}
        />
      );
    case 'install':
      return (
        <InstallEntry
          entry={shown.entry}
          request={shown.request}
          onClose={given.onClose}
          onAdded={(servers) => {
            given.onAdded(servers);
            loadRequests().catch(showFailure);
          }}
          onApproved={(servers) => {
            onReplace({ dialog: 'approved', servers });
            loadRequests().catch(showFailure);
          }}
        />
      );
    case 'update':
      return (
        <UpdateServer
          update={shown.update}
          onClose={given.onClose}
          onUpdated={(server) => given.onAdded([server])}
        />
      );
    case 'approve':
      return <ApproveLaunch servers={shown.servers} onClose={given.onClose} onTry={given.onTry} />;
    case 'approved':
      return (
        <ApprovedServers servers={shown.servers} onClose={given.onClose} onTry={given.onTry} />
      );
    default:
      return <OneServer shown={shown} onReplace={onReplace} />;
  }
}

function OneServer({ shown, onReplace }: DialogsProps<OneServerDialog>) {
  const { server } = shown;
  const onClose = () => onReplace();
  const onSaved = (saved: ServerView) => leadOn([saved], onReplace);
  switch (shown.dialog) {
    case 'edit':
      return (
        <EditServer
          {...{ server, onClose }}
          fix={shown.fix}
          // Who switched it off does not want it connected.
          onSaved={(saved) => leadOn(saved.state === 'disabled' ? [] : [saved], onReplace)}
        />
      );
    case 'edit-bundle':
      return (
        <EditBundle
          {...{ server, onClose, onSaved }}
          onCommand={() => onReplace({ dialog: 'edit', server })}
        />
      );
    case 'try':
      return <TryDialog {...{ server, onClose }} toolName={shown.toolName} />;
    case 'sign-in':
      return <SignInDialog {...{ server, onClose }} />;
  }
}

/** From servers that were added or changed to the question whether they may run; those that may are connected. */
function leadOn(servers: ServerView[], onReplace: DialogsProps<ServerDialog>['onReplace']): void {
  const held = servers.filter(({ state }) => state === 'draft' || state === 'disabled');
  onReplace(held.length > 0 ? { dialog: 'approve', servers: held } : undefined);
  // What comes of it is the server's state.
  for (const { id, state } of servers)
    if (state === 'idle') api.servers.act(id, 'connect').catch(() => undefined);
  loadServers().catch(showFailure);
}
