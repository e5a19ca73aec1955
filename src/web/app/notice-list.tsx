import { CircleAlert, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { dismissNotice, useNotices } from '../ui/notices/notices.ts';
import { type Reason, useReason } from '../ui/notices/use-reason.ts';

/** Where short notices appear and are read out. */
export function Notices(): ReactElement {
  const t = useTranslations('common');
  const reason = useReason();
  const notices = useNotices((state) => state.notices);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-3 z-50 flex flex-col items-center gap-2 px-3"
    >
      {notices.map(({ id, told }) => (
        <div
          key={id}
          className="pointer-events-auto flex max-w-lg items-start gap-3 rounded-xl border border-line bg-raised py-2 pr-2 pl-3.5 text-sm shadow-float"
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
