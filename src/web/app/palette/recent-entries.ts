import { isUnsure, keepForPerson } from '../../state/session/person.ts';

const storageKey = 'cerise.palette';
const most = 20;

keepForPerson(localStorage, {
  hide: () => undefined,
  show: () => undefined,
  forget: () => localStorage.removeItem(storageKey),
});

/** The ids of what was chosen in the palette, the last first. */
export function readRecent(): string[] {
  if (isUnsure(localStorage)) return [];
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch (error) {
    console.warn('What was chosen before is unreadable and is left out.', error);
    return [];
  }
}

/** Notes a choice. */
export function keepRecent(id: string): void {
  const others = readRecent().filter((one) => one !== id);
  localStorage.setItem(storageKey, JSON.stringify([id, ...others].slice(0, most)));
}
