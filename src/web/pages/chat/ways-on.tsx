import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';

interface WaysOnProps {
  /** There is a model besides the demo: the way to one is not the first thing then. */
  hasModel: boolean;
  onLeave: () => void;
}

/** Where the tour leads: to a model and to tools of one's own. */
export function WaysOn({ hasModel, onLeave }: WaysOnProps): ReactElement {
  const t = useTranslations('chat');
  return (
    <>
      <Link href="/servers?add" onClick={onLeave} className="button button-plain">
        {t('addServer')}
      </Link>
      <Link
        href="/settings/models?add"
        onClick={onLeave}
        className={`button ${hasModel ? 'button-plain' : 'button-primary'}`}
      >
        {t('addModel')}
      </Link>
    </>
  );
}
