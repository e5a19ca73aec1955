import type { ReactElement } from 'react';
import type { ServerView } from '#shared/api/api.ts';
import type { RegistryEntry } from '#shared/api/registry-api.ts';
import type { ServerFix } from '#shared/vocabulary/server.ts';
import { loadServers } from '../../state/catalog/catalog.ts';
import { api } from '../../state/session/api.ts';
import { showFailure } from '../../ui/notices/notices.ts';
import { EditBundle } from './bundles/edit-bundle.tsx';
import { InstallEntry } from './discover/install-entry.tsx';
import { AddServer } from './edit/add-server.tsx';
import { EditServer } from './edit/edit-server.tsx';
import { ApproveLaunch } from './launch/approve-launch.tsx';
import { SignInDialog } from './sign-in/sign-in-dialog.tsx';
import { TryDialog } from './tools/try-dialog.tsx';

/** What the page asks or shows above its list. */
export type ServerDialog =
  | { dialog: 'add'; text?: string; bundle?: File }
  | { dialog: 'install'; entry: RegistryEntry }
  | { dialog: 'approve'; servers: ServerView[] }
  | { dialog: 'edit'; server: ServerView; fix?: ServerFix }
  | { dialog: 'try'; server: ServerView; toolName: string }
  | { dialog: 'edit-bundle' | 'sign-in'; server: ServerView };

/** The dialog that is open; one may lead to the next. */
export function ServerDialogs(props: {
  shown: ServerDialog;
  onReplace: (next?: ServerDialog) => void;
}): ReactElement {
  const { shown, onReplace } = props;
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
      return (
        <ApproveLaunch
          servers={shown.servers}
          onClose={close}
          onTry={(server, toolName) => onReplace({ dialog: 'try', server, toolName })}
        />
      );
    case 'install':
      return <InstallEntry entry={shown.entry} onClose={close} onAdded={onAdded} />;
    case 'try':
      return <TryDialog server={shown.server} toolName={shown.toolName} onClose={close} />;
    case 'sign-in':
      return <SignInDialog server={shown.server} onClose={close} />;
  }
}
