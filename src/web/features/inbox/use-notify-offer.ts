import { useEffect, useState } from 'react';
import { usePermission } from '../../state/attention/permission.ts';
import { useProgress } from '../../state/attention/progress.ts';
import { useTopics } from '../../state/chat/topics.ts';
import { usePreferences } from '../../state/page/preferences.ts';

/** An answer that runs so long is one that people turn away from. */
const offerAfterMs = 10_000;

/** Whether notifications are worth an offer: nobody has said yes or no, and the browser can show them. */
export function useCanOffer(): boolean {
  // What to do about a refusal is said in the place of the offer.
  const isPossible = usePermission(
    ({ permission, refused }) => permission === 'default' || permission === 'granted' || refused,
  );
  return usePreferences(({ notifications }) => notifications === 'ask') && isPossible;
}

/** The same, where the answer of a topic has been running for a while. */
export function useOfferWhileRunning(topicId: string | null): boolean {
  const since = useProgress(({ running }) => (topicId === null ? undefined : running[topicId]));
  const isAsked = useTopics(
    ({ waiting }) => topicId !== null && Object.values(waiting).includes(topicId),
  );
  // Whoever is asked something here has to answer first.
  const canOffer = useCanOffer() && !isAsked;
  const [offeredFor, setOfferedFor] = useState<number>();
  useEffect(() => {
    if (since === undefined || !canOffer) return undefined;
    const rest = since + offerAfterMs - Date.now();
    const timer = setTimeout(() => setOfferedFor(since), Math.max(0, rest));
    return () => clearTimeout(timer);
  }, [since, canOffer]);
  return canOffer && since !== undefined && offeredFor === since;
}
