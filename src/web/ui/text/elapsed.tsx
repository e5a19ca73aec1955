import { type ReactElement, useEffect, useState } from 'react';
import { useDuration } from './duration.ts';

/** Time since a moment, counting on its own; nothing in the first second. */
export function Elapsed({ since }: { since: number }): ReactElement | null {
  const [now, setNow] = useState(Date.now);
  const duration = useDuration();
  // Each tick falls on a whole second since the moment, so that two of the same moment agree.
  useEffect(() => {
    const rest = () => 1000 - ((Date.now() - since) % 1000);
    const tick = () => {
      setNow(Date.now());
      timer = setTimeout(tick, rest());
    };
    let timer = setTimeout(tick, rest());
    return () => clearTimeout(timer);
  }, [since]);
  const elapsed = Math.floor((now - since) / 1000) * 1000;
  if (elapsed < 1000) return null;
  return <span className="shrink-0 whitespace-nowrap tabular-nums">{duration(elapsed)}</span>;
}
