import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import type { ServerState } from '#shared/vocabulary/server.ts';
import { loadServers } from '../../state/catalog/catalog.ts';
import { api } from '../../state/session/api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showFailure } from '../../ui/notices/notices.ts';

type Action = 'enable' | 'connect' | 'stop' | 'restart';

/** States in which a new start is one more attempt. */
const unsuccessful: ReadonlySet<ServerState> = new Set(['reconnecting', 'needs-auth', 'failed']);

/** What makes sense in each state. */
const actions: Record<ServerState, Action[]> = {
  draft: [],
  disabled: ['enable'],
  idle: ['connect'],
  installing: ['stop'],
  connecting: ['stop'],
  connected: ['restart', 'stop'],
  reconnecting: ['restart', 'stop'],
  'needs-auth': ['restart'],
  failed: ['restart'],
};

/** Buttons for a server's state. */
export function ServerActions(props: {
  server: ServerView;
  onApprove: () => void;
  onSignIn: () => void;
}): ReactElement {
  const t = useTranslations('servers');
  const common = useTranslations('common');
  const [busy, setBusy] = useState(false);
  const { server, onApprove, onSignIn } = props;
  const run = async (action: Action) => {
    setBusy(true);
    try {
      if (action === 'enable') await api.servers.update(server.id, { disabled: false });
      await api.servers.act(server.id, action === 'enable' ? 'connect' : action);
    } catch (error) {
      // Whoever stops it knows that it did not connect.
      if (!(error instanceof CeriseError) || error.code !== 'cancelled') showFailure(error);
    } finally {
      await loadServers().catch(showFailure);
      setBusy(false);
    }
  };
  if (server.readOnly) return <></>;
  if (server.state === 'draft') {
    return (
      <Button variant="primary" onClick={onApprove} data-testid="review-server">
        {t('review')}
      </Button>
    );
  }
  return (
    <>
      {server.state === 'needs-auth' && (
        <Button variant="primary" onClick={onSignIn} data-testid="sign-in-to-server">
          {t('signIn')}
        </Button>
      )}
      {actions[server.state].map((action) => (
        <Button
          key={action}
          disabled={busy && action !== 'stop'}
          data-testid={`${action}-server`}
          onClick={() => void run(action)}
        >
          {action === 'restart' && unsuccessful.has(server.state) ? common('retry') : t(action)}
        </Button>
      ))}
    </>
  );
}
