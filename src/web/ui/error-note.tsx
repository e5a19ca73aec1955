import { CircleAlert } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ErrorInfo } from '#shared/errors.ts';

interface ErrorNoteProps {
  error: Pick<ErrorInfo, 'code' | 'message' | 'hint'>;
  children?: ReactNode;
}

/** A failure: what happened, what can be done, and its code. */
export function ErrorNote({ error, children }: ErrorNoteProps): ReactElement {
  const t = useTranslations('block');
  return (
    <div role="alert" className="flex gap-3 rounded-xl bg-danger-soft px-4 py-3 text-sm">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0">
        <p className="font-medium break-words">{error.message || t('error')}</p>
        {error.hint && <p className="mt-0.5 break-words">{error.hint}</p>}
        <p className="mt-1 font-mono text-xs text-muted">{error.code}</p>
        {children}
      </div>
    </div>
  );
}
