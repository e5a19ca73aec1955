import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import type { ServerState } from '#shared/vocabulary/server.ts';
import { loadServers } from '../../state/catalog/catalog.ts';
import { api } from '../../state/session/api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useBusy } from '../../ui/hooks/use-busy.ts';
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

interface ServerActionsProps {
  server: ServerView;
  onApprove: () => void;
  onSignIn: () => void;
}

/** Buttons for a server's state. */
export function ServerActions(props: ServerActionsProps): ReactElement {
  const { server, onApprove, onSignIn } = props;
  const t = useTranslations('servers');
  const common = useTranslations('common');
  const [busy, act] = useBusy();
  if (server.readOnly) return <></>;
  if (server.state === 'draft')
    return (
      <Button variant="primary" onClick={onApprove} data-testid="review-server">
        {t('review')}
      </Button>
    );
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
          onClick={() => void act(() => run(server.id, action))}
        >
          {action === 'restart' && unsuccessful.has(server.state) ? common('retry') : t(action)}
        </Button>
      ))}
    </>
  );
}

async function run(id: string, action: Action): Promise<void> {
  try {
    if (action === 'enable') await api.servers.update(id, { disabled: false });
    await api.servers.act(id, action === 'enable' ? 'connect' : action);
  } catch (error) {
    // Whoever stops it knows that it did not connect.
    if (!(error instanceof CeriseError) || error.code !== 'cancelled') throw error;
  } finally {
    await loadServers().catch(showFailure);
  }
}
