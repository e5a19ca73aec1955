import { create } from 'zustand';

interface Sight {
  /** The topic that this tab shows; empty on any other page. */
  topicId: string;
  visible: boolean;
}

/** What this tab shows, and whether anybody can see it. */
export const useSight = create<Sight>(() => ({ topicId: '', visible: true }));

const openPrefix = 'cerise-open-';
const seenPrefix = 'cerise-seen-';
/** The locks that this tab holds, with what lets go of them. Other tabs read their names. */
const held = new Map<string, () => void>();

/** Notes what is seen here, for this tab and all others, until the returned function is called. */
export function followSight(): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const look = () => useSight.setState({ visible: !document.hidden });
  look();
  const unsubscribe = useSight.subscribe(hold);
  document.addEventListener('visibilitychange', look, options);
  // A page that holds nothing can be kept for when the person comes back to it.
  addEventListener('pagehide', letGo, options);
  addEventListener('pageshow', () => hold(useSight.getState()), options);
  hold(useSight.getState());
  return () => {
    stop.abort();
    unsubscribe();
    letGo();
  };
}

/** What the tabs of this browser show; what this one does where there are no locks. */
export async function readSight(): Promise<{ openTopics: string[]; seen: string[] }> {
  if (!('locks' in navigator)) {
    const { topicId, visible } = useSight.getState();
    return { openTopics: [topicId], seen: visible ? [topicId] : [] };
  }
  const names = (await navigator.locks.query()).held?.map(({ name }) => name ?? '') ?? [];
  const after = (prefix: string) =>
    names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
  return { openTopics: after(openPrefix), seen: after(seenPrefix) };
}

function hold({ topicId, visible }: Sight): void {
  if (!('locks' in navigator)) return;
  const names = [openPrefix + topicId, ...(visible ? [seenPrefix + topicId] : [])];
  for (const [name, release] of held)
    if (!names.includes(name)) {
      held.delete(name);
      release();
    }
  for (const name of names) {
    if (held.has(name)) continue;
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(name, resolve);
    navigator.locks.request(name, { mode: 'shared' }, () => promise).catch(console.error);
  }
}

function letGo(): void {
  for (const release of held.values()) release();
  held.clear();
}
