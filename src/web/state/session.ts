import { create } from 'zustand';

/** Whether the host still knows this browser. */
export const useSession = create<{ signedOut: boolean }>(() => ({ signedOut: false }));

/** Shows the sign-in page in place of everything else. */
export function signOut(): void {
  useSession.setState({ signedOut: true });
}
