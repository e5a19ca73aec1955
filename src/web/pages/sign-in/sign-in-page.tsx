import { type ReactElement, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { SignInWays } from '#shared/api/people-api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { consentPlace, keepConsent } from '../../state/session/consent-place.ts';
import { api } from '../../state/session/api.ts';
import { wasAnother } from '../../state/session/person.ts';
import { Button } from '../../ui/controls/button.tsx';
import { formText } from '../../ui/controls/form-text.ts';
import { Logo } from '../../ui/layout/logo.tsx';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { InputField } from '../../ui/controls/labelled.tsx';

const notes = { used: 'used', failed: 'oidcFailed' } as const;

/** Shown when the host does not know this browser: the ways in that it has. */
export function SignInPage(): ReactElement {
  const t = useTranslations('signIn');
  const [ways, setWays] = useState<SignInWays | null>(null);
  const [error, setError] = useState<ErrorInfo | null>(null);
  useEffect(keepConsent, []);
  useEffect(() => {
    api.people.ways().then(setWays, (failure: unknown) => setError(toErrorInfo(failure)));
  }, []);
  const said = new URLSearchParams(location.search).get('sign-in');
  const note = said === 'used' || said === 'failed' ? notes[said] : null;
  return (
    <main className="grid min-h-full place-content-center px-6 py-10" data-testid="sign-in">
      <div className="w-[min(22rem,calc(100vw-3rem))]">
        <Logo className="mx-auto size-12" />
        <h1 className="mt-5 text-center text-2xl font-semibold tracking-tight">{t('title')}</h1>
        {note && (
          <p role="alert" className="mt-4 rounded-xl bg-warn-soft px-4 py-2.5 text-pretty">
            {t(note)}
          </p>
        )}
        {error && (
          <div className="mt-4">
            <ErrorNote error={error} />
          </div>
        )}
        {ways?.password && <PasswordForm />}
        {ways?.oidc && <OidcLink name={ways.oidc.name} isOnly={!ways.password} />}
        {ways && <LinkHint ways={ways} />}
      </div>
    </main>
  );
}

function OidcLink({ name, isOnly }: { name: string; isOnly: boolean }) {
  const t = useTranslations('signIn');
  return (
    <a
      href="/sign-in/oidc"
      data-testid="sign-in-oidc"
      className={`button mt-4 w-full pointer-coarse:min-h-11 ${isOnly ? 'button-primary' : 'button-plain'}`}
    >
      {t('oidc', { name })}
    </a>
  );
}

function PasswordForm() {
  const t = useTranslations('signIn');
  const [error, setError] = useState<ErrorInfo | null>(null);
  const [busy, setBusy] = useState(false);
  const signIn = async (form: FormData) => {
    setBusy(true);
    setError(null);
    try {
      await api.people.signIn(formText(form, 'name'), formText(form, 'password'));
      await beginAnew();
    } catch (failure) {
      setError(toErrorInfo(failure));
      setBusy(false);
    }
  };
  return (
    <Form className="mt-6 space-y-4" onSend={signIn}>
      <InputField label={t('name')} name="name" required autoComplete="username" />
      <InputField
        label={t('password')}
        name="password"
        type="password"
        required
        autoComplete="current-password"
      />
      {error && <SignInError error={error} />}
      <Button
        type="submit"
        variant="primary"
        disabled={busy}
        className="w-full pointer-coarse:min-h-11"
      >
        {t('submit')}
      </Button>
    </Form>
  );
}

/** The page begins anew, so that nothing of whoever was here before is left in it. */
async function beginAnew(): Promise<void> {
  const { user } = await api.people.me();
  const place = wasAnother(user.id) ? '/' : location.pathname + location.hash;
  history.replaceState(null, '', consentPlace() ?? place);
  location.reload();
}

/** In the reader's own words for what happens often. */
function SignInError({ error }: { error: ErrorInfo }) {
  const t = useTranslations('signIn');
  const own = { unauthenticated: 'wrong', too_many_requests: 'slow' } as const;
  if (error.code !== 'unauthenticated' && error.code !== 'too_many_requests')
    return <ErrorNote error={error} />;
  return (
    <p role="alert" className="rounded-xl bg-danger-soft px-4 py-2.5 text-sm text-pretty">
      {t(own[error.code])}
    </p>
  );
}

/** The link is how the console comes in: the first way on one machine, the last one elsewhere. */
function LinkHint({ ways }: { ways: SignInWays }) {
  const t = useTranslations('signIn');
  if (!ways.link)
    return <p className="mt-6 text-center text-xs text-pretty text-muted">{t('forgotten')}</p>;
  return (
    <div className="mt-4 text-center">
      <p className="text-pretty text-muted">{t('text')}</p>
      <p className="mt-2 text-sm text-pretty text-muted">{t('again', { command: ways.command })}</p>
      <Button className="mt-6" onClick={() => location.reload()}>
        {t('reload')}
      </Button>
    </div>
  );
}
