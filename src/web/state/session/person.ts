import { useSession } from './session.ts';

/** What a browser keeps of somebody's unsent words. */
interface Keeper {
  /** Takes it out of the page; what is stored stays. */
  hide(): void;
  /** Shows what is stored, beside what was written since the page began, and stores that too. */
  show(): void;
  /** Takes it out of the storage. */
  forget(): void;
}

const ownerKey = 'cerise.person';
const unsureKey = 'cerise.person.unsure';
const keepers = new Set<{ storage: Storage; keeper: Keeper }>();

/** Ties what is kept in a storage to whoever it belongs to. */
export function keepForPerson(storage: Storage, keeper: Keeper): void {
  keepers.add({ storage, keeper });
}

/** Whether what is in a storage may be somebody else's: the sign-in ended and nobody is known yet. */
export function isUnsure(storage: Storage): boolean {
  return storage.getItem(unsureKey) !== null;
}

/** Whether this browser was somebody's who did not leave: what is theirs can be drawn before the host has answered. */
export function isExpected(): boolean {
  return localStorage.getItem(ownerKey) !== null && !isUnsure(localStorage);
}

/** Whether somebody else used this browser last: where they were is no place for whoever comes. */
export function wasAnother(id: string): boolean {
  const known = localStorage.getItem(ownerKey);
  return known !== null && known !== id;
}

/** Forgets everything unsent in this tab: the person left. */
export function forgetPerson(): void {
  for (const storage of storages()) {
    storage.removeItem(ownerKey);
    storage.removeItem(unsureKey);
  }
  for (const { keeper } of keepers) {
    keeper.forget();
    keeper.hide();
  }
}

useSession.subscribe(({ signedOut, me }, before) => {
  if (signedOut && !before.signedOut) hide();
  if (me && me.user.id !== before.me?.user.id)
    for (const each of storages()) settle(each, me.user.id);
});

function hide(): void {
  for (const storage of storages()) storage.setItem(unsureKey, '1');
  for (const { keeper } of keepers) keeper.hide();
}

/** Each storage for itself: what a tab keeps is not known to the others. */
function settle(storage: Storage, id: string): void {
  const known = storage.getItem(ownerKey);
  const wasUnsure = isUnsure(storage);
  storage.setItem(ownerKey, id);
  storage.removeItem(unsureKey);
  const isOther = known === null ? wasUnsure : known !== id;
  for (const { storage: own, keeper } of keepers) {
    if (own !== storage) continue;
    if (isOther) keeper.forget();
    // While nobody was known nothing stored was shown: what is in the page is of who came.
    if (wasUnsure) keeper.show();
    else if (isOther) keeper.hide();
  }
}

function storages(): Set<Storage> {
  return new Set([...keepers].map(({ storage }) => storage));
}
