import { CircleAlert, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { dismissNotice, useNotices } from '../ui/notices/notices.ts';
import { type Reason, useReason } from '../ui/notices/use-reason.ts';

/**
 * Where short notices appear and are read out. They have a place of their own in the page, so that they
 * cover nothing: below it, and above it on a phone, where dialogs rise from below.
 */
export function Notices(): ReactElement {
  const t = useTranslations('common');
  const reason = useReason();
  const notices = useNotices((state) => state.notices);
  return (
    <div
      role="status"
      className={`sticky bottom-0 z-50 flex shrink-0 flex-col items-center gap-2 px-3 md:order-last ${notices.length > 0 ? 'py-2' : ''}`}
    >
      {notices.map(({ id, told }) => (
        <div
          key={id}
          data-testid="notice"
          className="flex max-w-lg items-start gap-3 rounded-xl border border-line bg-raised py-2 pr-2 pl-3.5 text-sm shadow-float"
        >
          <CircleAlert aria-hidden className="mt-1 size-4 shrink-0 text-danger" />
          <Words {...(typeof told === 'string' ? { text: told } : reason(told))} />
          <IconButton label={t('dismiss')} size="small" onClick={() => dismissNotice(id)}>
            <X />
          </IconButton>
        </div>
      ))}
    </div>
  );
}

function Words({ text, more, hint }: Reason) {
  return (
    <p className="py-0.5 break-words">
      {text}
      {more && <span className="block">{more}</span>}
      {hint && <span className="block text-muted">{hint}</span>}
    </p>
  );
}
