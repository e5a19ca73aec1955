import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from './ui/button.tsx';
import { Logo } from './ui/logo.tsx';

/** Shown when the host does not know this browser. */
export function SignInPage(): ReactElement {
  const t = useTranslations('signIn');
  return (
    <main className="grid h-full place-content-center px-6 text-center" data-testid="sign-in">
      <Logo className="mx-auto size-12" />
      <h1 className="mt-5 text-2xl font-semibold tracking-tight">{t('title')}</h1>
      <p className="mx-auto mt-2 max-w-sm text-muted">{t('text')}</p>
      <p className="mx-auto mt-2 max-w-sm text-sm text-muted">{t('again')}</p>
      <Button className="mt-6 justify-self-center" onClick={() => location.reload()}>
        {t('reload')}
      </Button>
    </main>
  );
}
