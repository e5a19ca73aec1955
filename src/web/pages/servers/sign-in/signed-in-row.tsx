import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { loadServers } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { showFailure } from '../../../ui/notices/notices.ts';

/** Where one is signed in to a server, with which rights, and the way out. Nothing where one is not. */
export function SignedInRow({ server }: { server: ServerView }): ReactElement | null {
  const t = useTranslations('serverSignIn');
  const [busy, act] = useBusy();
  const { id, state, since } = server;
  // A sign-out may lead from a state to the same state.
  const key = `${id} ${state} ${since}`;
  const { value } = useLoaded((signal) => api.servers.signInState(id, signal), key);
  if (!value || value.status === 'none') return null;
  const signOut = () =>
    act(async () => {
      try {
        await api.servers.signOut(id);
      } finally {
        await loadServers().catch(showFailure);
      }
    });
  return (
    <div
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-t border-line px-4 py-2 text-sm"
      data-testid="signed-in"
    >
      <p className="min-w-0 break-words">
        {t(value.status === 'expired' ? 'expiredAt' : 'signedInAt', { host: hostOf(value.issuer) })}
        {value.scope && value.scope.length > 0 && (
          <span className="ml-2 font-mono text-xs break-all text-muted">
            {value.scope.join(' ')}
          </span>
        )}
      </p>
      <Button disabled={busy} onClick={() => void signOut()} data-testid="sign-out-of-server">
        {t('signOut')}
      </Button>
    </div>
  );
}

function hostOf(issuer: string | undefined): string {
  return URL.parse(issuer ?? '')?.host ?? '';
}
