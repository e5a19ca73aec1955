import { create } from 'zustand';
import { isUnsure, keepForPerson } from '../session/person.ts';

const storageKey = 'cerise.muted';
const most = 1000;

/** Topics that this browser shows no notifications for. */
export const useMuted = create<{ muted: readonly string[] }>(() => ({ muted: readStored() }));

keepForPerson(localStorage, {
  hide: () => useMuted.setState({ muted: [] }),
  show: () => useMuted.setState({ muted: readStored() }),
  forget: () => localStorage.removeItem(storageKey),
});

/** Switches the notifications of a topic off, or on again. */
export function muteTopic(topicId: string, mute: boolean): void {
  const others = readStored().filter((id) => id !== topicId);
  const muted = (mute ? [topicId, ...others] : others).slice(0, most);
  useMuted.setState({ muted });
  if (!isUnsure(localStorage)) localStorage.setItem(storageKey, JSON.stringify(muted));
}

/** Switches the notifications of all topics on again. */
export function unmuteAll(): void {
  useMuted.setState({ muted: [] });
  localStorage.removeItem(storageKey);
}

/** Hears what other tabs switch off, until the returned function is called. */
export function shareMuted(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === storageKey) useMuted.setState({ muted: readStored() });
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

function readStored(): string[] {
  if (isUnsure(localStorage)) return [];
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch (error) {
    console.warn('The list of muted chats is unreadable and is left out.', error);
    return [];
  }
}
