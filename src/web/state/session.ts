import { create } from 'zustand';
import type { MeView } from '#shared/people-api.ts';

/** Whether the host still knows this browser, and who uses it. */
export const useSession = create<{ signedOut: boolean; me: MeView | null }>(() => ({
  signedOut: false,
  me: null,
}));

/** Shows the sign-in page in place of everything else. */
export function signOut(): void {
  useSession.setState({ signedOut: true });
}

/** Whether whoever uses this browser may see what is for admins. */
export function useIsAdmin(): boolean {
  return useSession(({ me }) => me?.user.role === 'admin');
}
