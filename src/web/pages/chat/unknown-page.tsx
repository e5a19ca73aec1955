import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';

/** Where an address leads nowhere. */
export function UnknownPage(): ReactElement {
  const t = useTranslations('chat');
  const sidebar = useTranslations('sidebar');
  return (
    <div className="grid flex-1 place-content-center gap-3 p-6 text-center" data-testid="no-page">
      <h1 className="text-lg font-semibold">{t('noPage')}</h1>
      <p className="text-muted">{t('noPageText')}</p>
      <Link href="/" className="button button-primary justify-self-center">
        {sidebar('newChat')}
      </Link>
    </div>
  );
}
