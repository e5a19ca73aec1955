import { BellRing, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { turnOnNotifications, usePermission } from '../../state/attention/permission.ts';
import { setPreference } from '../../state/page/preferences.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { showFailure } from '../../ui/notices/notices.ts';

interface NotifyOfferProps {
  text: 'offer' | 'offerWaiting';
  className?: string;
}

/** Offers notifications once; the browser is asked only after a press. Where it refuses, says what to do. */
export function NotifyOffer({ text, className = '' }: NotifyOfferProps): ReactElement {
  const t = useTranslations('notifications');
  const isRefused = usePermission((state) => state.refused);
  return (
    <div
      data-testid="notify-offer"
      className={`flex items-center gap-2 py-0.5 pr-1 pl-3 text-sm text-muted ${className}`}
    >
      <BellRing aria-hidden className="size-3.5 shrink-0" />
      <span role="status" className="min-w-0 flex-1 py-1 text-pretty">
        {t(isRefused ? 'denied' : text)}
      </span>
      {!isRefused && (
        <button
          type="button"
          data-testid="notify-me"
          className="min-h-8 shrink-0 rounded-lg px-2 font-medium text-accent-text hover:bg-hover pointer-coarse:min-h-11"
          onClick={() => {
            turnOnNotifications().catch(showFailure);
          }}
        >
          {t('notifyMe')}
        </button>
      )}
      <IconButton
        label={t('decline')}
        size="small"
        data-testid="no-notifications"
        onClick={() => setPreference({ notifications: 'off' })}
      >
        <X />
      </IconButton>
    </div>
  );
}
