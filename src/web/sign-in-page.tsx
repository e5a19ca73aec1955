import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './ui/button.tsx';
import { Logo } from './ui/logo.tsx';

/** Shown when the host does not know this browser. */
export function SignInPage(): ReactElement {
  const t = useTranslations('signIn');
  const used = new URLSearchParams(location.search).get('sign-in') === 'used';
  return (
    <main className="grid h-full place-content-center px-6 text-center" data-testid="sign-in">
      <Logo className="mx-auto size-12" />
      <h1 className="mt-5 text-2xl font-semibold tracking-tight">{t('title')}</h1>
      {used && (
        <p
          role="alert"
          className="mx-auto mt-3 max-w-sm rounded-xl bg-warn-soft px-4 py-2.5 text-balance"
        >
          {t('used')}
        </p>
      )}
      <p className="mx-auto mt-3 max-w-sm text-balance text-muted">{t('text')}</p>
      <p className="mx-auto mt-2 max-w-sm text-sm text-balance text-muted">{t('again')}</p>
      <Button className="mt-6 justify-self-center" onClick={() => location.reload()}>
        {t('reload')}
      </Button>
    </main>
  );
}
