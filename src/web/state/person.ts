import { useSession } from './session.ts';

/** What a browser keeps of somebody's unsent words. */
interface Keeper {
  /** Nobody is known: nothing of it is shown, all of it stays stored. */
  hide(): void;
  /** The same person is back. */
  show(): void;
  /** It is somebody else, or they left: nothing stays. */
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

/** Forgets everything unsent in this tab: the person left. */
export function forgetPerson(): void {
  for (const storage of storages()) {
    storage.removeItem(ownerKey);
    storage.removeItem(unsureKey);
  }
  for (const { keeper } of keepers) keeper.forget();
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
    else if (wasUnsure) keeper.show();
  }
}

function storages(): Set<Storage> {
  return new Set([...keepers].map(({ storage }) => storage));
}
