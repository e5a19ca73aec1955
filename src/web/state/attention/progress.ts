import { create } from 'zustand';
import { isUnsure, keepForPerson } from '../session/person.ts';
import { type EndedAnswer, moveOn, type Progress, type TopicState } from './move-on.ts';

const storageKey = 'cerise.progress';

/** How far answers are, as this tab knows it. What ended is the same in all tabs, and after a reload. */
export const useProgress = create<Progress>(readStored);

const { setState: set, getState: get } = useProgress;

keepForPerson(localStorage, {
  hide: () => set({ running: {}, ended: {} }),
  show: () => set(readStored()),
  forget: () => localStorage.removeItem(storageKey),
});

/** Takes over what the lists say; returns what ended. */
export function followLists(topics: readonly TopicState[], now: number): EndedAnswer[] {
  const before = newest();
  const { progress, ended } = moveOn(before, topics, now);
  if (JSON.stringify(progress) !== JSON.stringify(before)) keep(progress);
  return ended;
}

/** The person has seen how it ended. */
export function seeEnd(topicId: string): void {
  const { running, ended } = newest();
  if (!(topicId in ended)) return;
  const { [topicId]: _, ...others } = ended;
  keep({ running, ended: others });
}

/** Hears what other tabs saw, until the returned function is called. */
export function shareProgress(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    // What runs each tab sees for itself, or it would miss the end.
    if (key === storageKey) set({ ended: readStored().ended });
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Another tab may just have seen an end. */
function newest(): Progress {
  const { running, ended } = get();
  return { running, ended: isUnsure(localStorage) ? ended : readStored().ended };
}

/** Stored first: whoever is told looks there. */
function keep(progress: Progress): void {
  try {
    if (!isUnsure(localStorage)) localStorage.setItem(storageKey, JSON.stringify(progress));
  } catch (error) {
    console.warn('How far answers are cannot be kept in this browser.', error);
  }
  set(progress);
}

function readStored(): Progress {
  if (isUnsure(localStorage)) return { running: {}, ended: {} };
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Progress> | null;
    return { running: times(stored?.running), ended: times(stored?.ended) };
  } catch (error) {
    console.warn('How far answers were is unreadable and is left out.', error);
    return { running: {}, ended: {} };
  }
}

/** Whatever is no time is left out. */
function times(value: unknown): Record<string, number> {
  const entries = Object.entries(Object(value) as Record<string, unknown>);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
