import { api } from './api.ts';
import { forgetPerson } from './person.ts';
import { tellOfLeaving, useSession } from './session.ts';

/** Reads again who uses this browser. */
export async function loadMe(): Promise<void> {
  useSession.setState({ me: await api.people.me() });
}

/** Ends this sign-in. The page begins anew, so that nothing of this person is left in it. */
export async function leave(): Promise<void> {
  await api.people.signOut();
  forgetPerson();
  tellOfLeaving();
  location.assign('/');
}
