import { Check, CircleAlert, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../ui/controls/icon-button.tsx';
import {
  dismissNotice,
  holdNotice,
  type Notice,
  releaseNotice,
  useNotices,
} from '../ui/notices/notices.ts';
import { type Reason, useReason } from '../ui/notices/use-reason.ts';

/**
 * Where short notices appear and are read out. They have a place of their own in the page, so that they
 * cover nothing: below it, and above it on a phone, where dialogs rise from below.
 */
export function Notices(): ReactElement {
  const notices = useNotices((state) => state.notices);
  return (
    <div
      role="status"
      // Said although it follows from the role: a dialog that is open hides everything else but this.
      aria-live="polite"
      className={`sticky bottom-0 z-50 flex shrink-0 flex-col items-center gap-2 px-3 md:order-last ${notices.length > 0 ? 'py-2' : ''}`}
    >
      {notices.map((notice) => (
        <NoticeView key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

/** Stays while it is pointed at, or has the focus. */
function NoticeView({ notice }: { notice: Notice }) {
  const t = useTranslations('common');
  const reason = useReason();
  const { id, told, undo } = notice;
  return (
    <div
      data-testid="notice"
      onMouseEnter={() => holdNotice(id)}
      onMouseLeave={() => releaseNotice(id)}
      onFocus={() => holdNotice(id)}
      onBlur={() => releaseNotice(id)}
      className={`flex max-w-lg gap-3 rounded-xl border border-line bg-raised py-2 pr-2 pl-3.5 text-sm shadow-float ${undo ? 'items-center' : 'items-start'}`}
    >
      {undo ? (
        <Check aria-hidden className="size-4 shrink-0 text-muted" />
      ) : (
        <CircleAlert aria-hidden className="mt-1 size-4 shrink-0 text-danger" />
      )}
      <Words {...(typeof told === 'string' ? { text: told } : reason(told))} />
      {undo && <UndoButton id={id} undo={undo} />}
      <IconButton label={t('dismiss')} size="small" onClick={() => dismissNotice(id)}>
        <X />
      </IconButton>
    </div>
  );
}

function UndoButton({ id, undo }: { id: number; undo: () => void }) {
  const t = useTranslations('common');
  return (
    <button
      type="button"
      className="-my-0.5 min-h-8 rounded-lg px-2 font-medium text-accent-text hover:bg-hover pointer-coarse:min-h-11"
      onClick={() => {
        dismissNotice(id);
        undo();
      }}
    >
      {t('undo')}
    </button>
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
