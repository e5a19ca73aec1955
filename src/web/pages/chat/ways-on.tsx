import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';

/** Where the tour leads: to a model and to tools of one's own. */
export function WaysOn({ onLeave }: { onLeave: () => void }): ReactElement {
  const t = useTranslations('chat');
  return (
    <>
      <Link href="/servers?add" onClick={onLeave} className="button button-plain">
        {t('tourAddServer')}
      </Link>
      <Link href="/settings/models?add" onClick={onLeave} className="button button-primary">
        {t('tourAddModel')}
      </Link>
    </>
  );
}
