import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { useFormatter } from 'use-intl';
import { VisibleText } from './visible-text.tsx';

/** How a line of a log stands out. */
export type LogTone = 'quiet' | 'plain' | 'warning' | 'error';

const looks: Record<LogTone, string> = {
  quiet: 'text-muted',
  plain: '',
  warning: 'text-warn',
  error: 'text-danger',
};

/** A log whose end stays in sight while it follows, unless somebody has scrolled away from it. */
export function LogLines(props: {
  label: string;
  follows: boolean;
  className: string;
  children: ReactNode;
}): ReactElement {
  const { label, follows, className, children } = props;
  const box = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (follows && isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  });
  return (
    <ol
      ref={box}
      tabIndex={0}
      aria-label={label}
      data-testid="log"
      className={`json overflow-y-auto ${className}`}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {children}
    </ol>
  );
}

/** One line: when, how bad, what, and what else there is to know. */
export function LogRow(props: {
  at: number | undefined;
  level: string | undefined;
  tone: LogTone;
  text: string;
  details?: string | undefined;
}): ReactElement {
  const { at, level, tone, text, details } = props;
  const format = useFormatter();
  return (
    <li className={`break-words whitespace-pre-wrap ${looks[tone]}`}>
      <span className="text-muted">
        {at !== undefined && `${format.dateTime(at, { timeStyle: 'medium' })} `}
        {level}
      </span>{' '}
      <VisibleText text={text} />
      {details !== undefined && (
        <span className="text-muted">
          {' '}
          <VisibleText text={details} />
        </span>
      )}
    </li>
  );
}
