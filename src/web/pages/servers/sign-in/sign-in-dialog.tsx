import { ExternalLink } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { ClientForm } from './client-form.tsx';
import { isImitable, signInAddress } from './sign-in-address.ts';

/** Shows where a sign-in leads before the browser goes there. */
export function SignInDialog(props: { server: ServerView; onClose: () => void }): ReactElement {
  const { server, onClose } = props;
  const t = useTranslations('serverSignIn');
  const [attempt, setAttempt] = useState(0);
  const { value: url, error } = useLoaded(() => begin(server.id), String(attempt));
  const details = error?.details as { needs?: string; redirectUri?: string } | undefined;
  return (
    <Modal open onClose={onClose} title={t('title', { name: server.name })} description={t('text')}>
      {error ? (
        <div className="mb-4" data-testid="sign-in-error">
          <ErrorNote error={error} />
        </div>
      ) : (
        <Destination url={url} onCancel={onClose} />
      )}
      {(error || url) && (
        <ClientForm
          key={attempt}
          server={server}
          needed={details?.needs === 'client_id'}
          redirectUri={details?.redirectUri ?? url?.searchParams.get('redirect_uri') ?? undefined}
          onSaved={() => setAttempt(attempt + 1)}
        />
      )}
    </Modal>
  );
}

/** Where to go. The host checked the address, and so does the page that opens it. */
async function begin(serverId: string): Promise<URL> {
  const { authorizationUrl } = await api.servers.beginSignIn(serverId);
  const url = signInAddress(authorizationUrl);
  if (url) return url;
  throw new CeriseError(
    'sign_in_failed',
    say('sign-in-unsafe')`The sign-in URL isn't safe to open.`,
  );
}

function Destination({ url, onCancel }: { url: URL | undefined; onCancel: () => void }) {
  const t = useTranslations('serverSignIn');
  const common = useTranslations('common');
  return (
    <>
      <div className="rounded-lg bg-sunken px-3.5 py-3" aria-live="polite">
        {url ? <Address url={url} /> : <p className="text-sm text-muted">{t('finding')}</p>}
      </div>
      {url && isImitable(url) && (
        <p role="alert" className="mt-3 rounded-lg bg-warn-soft px-3.5 py-2.5 text-sm">
          {t('imitable')}
        </p>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onCancel}>{common('cancel')}</Button>
        <Button
          variant="primary"
          disabled={!url}
          onClick={() => url && location.assign(url.href)}
          data-testid="leave-to-sign-in"
        >
          {t('leave')}
          <ExternalLink aria-hidden />
        </Button>
      </div>
    </>
  );
}

function Address({ url }: { url: URL }) {
  return (
    <>
      <p className="font-semibold break-all" data-testid="sign-in-host">
        {url.host}
      </p>
      <p className="mt-0.5 font-mono text-xs break-all text-muted">
        {url.origin}
        {url.pathname}
      </p>
    </>
  );
}
