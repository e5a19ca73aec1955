import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { unmuteAll, useMuted } from '../../state/attention/muted.ts';
import { turnOnNotifications, usePermission } from '../../state/attention/permission.ts';
import { longAnswerMs } from '../../state/attention/should-notify.ts';
import { setPreference, usePreferences } from '../../state/page/preferences.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showFailure } from '../../ui/notices/notices.ts';
import { Checkbox } from '../../ui/controls/checkbox.tsx';

/** Whether this browser shows notifications, and what to do where it does not. */
export function Notifications(): ReactElement {
  const t = useTranslations('notifications');
  const permission = usePermission((state) => state.permission);
  const isOn = usePreferences(({ notifications }) => notifications === 'on');
  const isPossible = permission === 'granted' || permission === 'default';
  const change = (on: boolean) => {
    if (on) turnOnNotifications().catch(showFailure);
    else setPreference({ notifications: 'off' });
  };
  return (
    <div className="space-y-3" data-testid="notifications">
      <label className="flex min-h-11 items-center gap-2.5 rounded-xl border border-line bg-raised px-3.5 text-sm">
        <Checkbox
          data-testid="show-notifications"
          aria-describedby="notifications-when"
          checked={isOn && permission === 'granted'}
          disabled={!isPossible}
          onCheck={change}
        />
        {t('show')}
      </label>
      <p role="status" className="text-sm text-pretty text-warn empty:hidden" data-testid="blocked">
        {!isPossible && t(permission)}
      </p>
      <p id="notifications-when" className="text-sm text-pretty text-muted">
        {t('when', { seconds: longAnswerMs / 1000 })}
      </p>
      <p className="text-sm text-pretty text-muted">{t('perChat')}</p>
      <MutedCount />
    </div>
  );
}

function MutedCount() {
  const t = useTranslations('notifications');
  const count = useMuted(({ muted }) => muted.length);
  if (count === 0) return null;
  return (
    <p className="flex items-center gap-3 text-sm">
      {t('muted', { count })}
      <Button onClick={unmuteAll}>{t('unmuteAll')}</Button>
    </p>
  );
}
