import { useEffect, useState } from 'react';
import { usePermission } from '../../state/attention/permission.ts';
import { useProgress } from '../../state/attention/progress.ts';
import { usePreferences } from '../../state/page/preferences.ts';

/** An answer that runs so long is one that people turn away from. */
const offerAfterMs = 10_000;

/** Whether notifications are worth an offer: nobody has said yes or no, and the browser can show them. */
export function useCanOffer(): boolean {
  // One that refuses after it was asked still has its say in the place of the offer.
  const isPossible = usePermission(
    ({ permission }) => permission !== 'unsupported' && permission !== 'insecure',
  );
  return usePreferences(({ notifications }) => notifications === 'ask') && isPossible;
}

/** The same, where the answer of a topic has been running for a while. */
export function useOfferWhileRunning(topicId: string | null): boolean {
  const since = useProgress(({ running }) => (topicId === null ? undefined : running[topicId]));
  const canOffer = useCanOffer();
  const [offeredFor, setOfferedFor] = useState<number>();
  useEffect(() => {
    if (since === undefined || !canOffer) return undefined;
    const rest = since + offerAfterMs - Date.now();
    const timer = setTimeout(() => setOfferedFor(since), Math.max(0, rest));
    return () => clearTimeout(timer);
  }, [since, canOffer]);
  return canOffer && since !== undefined && offeredFor === since;
}
