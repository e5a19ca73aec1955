import { type ReactElement, useEffect, useState } from 'react';
import { useDuration } from './duration.ts';

/** Time since a moment, counting on its own; nothing in the first second. */
export function Elapsed({ since }: { since: number }): ReactElement | null {
  const [now, setNow] = useState(Date.now);
  const duration = useDuration();
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const elapsed = Math.floor((now - since) / 1000) * 1000;
  return elapsed < 1000 ? null : <span className="tabular-nums">{duration(elapsed)}</span>;
}
