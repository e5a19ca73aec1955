import { CircleAlert } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { type ErrorInfo, vendorWords } from '#shared/errors/errors.ts';
import { useReason } from './use-reason.ts';

interface ErrorNoteProps {
  error: ErrorInfo;
  children?: ReactNode;
}

/** A failure: what happened, what can be done, what the vendor said, and its code. */
export function ErrorNote({ error, children }: ErrorNoteProps): ReactElement {
  const { text, more, hint } = useReason()(error);
  const quote = vendorWords(error);
  return (
    <div role="alert" className="flex gap-3 rounded-xl bg-danger-soft px-4 py-3 text-sm">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0">
        <p className="font-medium break-words">{text}</p>
        {more && <p className="mt-0.5 break-words">{more}</p>}
        {hint && <p className="mt-0.5 break-words">{hint}</p>}
        {quote && (
          <blockquote className="mt-1 border-l-2 border-line-strong pl-2.5 break-words text-muted">
            {quote}
          </blockquote>
        )}
        <p className="mt-1 font-mono text-xs text-muted">{error.code}</p>
        {children}
      </div>
    </div>
  );
}
