import { create } from 'zustand';
import type { MeView } from '#shared/api/people-api.ts';

interface Session {
  signedOut: boolean;
  /** The host has said that it knows this browser. */
  signedIn: boolean;
  me: MeView | null;
}

/** Whether the host still knows this browser, and who uses it. */
export const useSession = create<Session>(() => ({ signedOut: false, signedIn: false, me: null }));

type News = 'signed-in' | 'signed-out' | 'left';
const channelName = 'cerise-session';

/** Begins with the sign-in page where the host has said, with the page itself, that nobody is signed in. */
export function expectSignIn(): void {
  if ('signedOut' in document.documentElement.dataset) useSession.setState({ signedOut: true });
}

/** Shows the sign-in page in place of everything else, in every tab. */
export function signOut(): void {
  if (useSession.getState().signedOut) return;
  useSession.setState({ signedOut: true });
  tellOtherTabs('signed-out');
}

/** The host knows this browser: tabs that show the sign-in page begin anew. */
export function confirmSignIn(): void {
  useSession.setState({ signedIn: true });
  tellOtherTabs('signed-in');
}

/** Other tabs forget whatever is unsent: the person left, and did not merely lose the sign-in. */
export function tellOfLeaving(): void {
  tellOtherTabs('left');
}

/** Hears of sign-ins and sign-outs in other tabs, until the returned function is called. */
export function followSession(onLeft: () => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {};
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', ({ data }: MessageEvent<News>) => {
    if (data === 'left') onLeft();
    if (data !== 'signed-in') useSession.setState({ signedOut: true });
    else if (useSession.getState().signedOut) location.reload();
  });
  return () => channel.close();
}

function tellOtherTabs(news: News): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage(news);
  channel.close();
}

/** Whether the user of this browser may see what is for admins. */
export function useIsAdmin(): boolean {
  return useSession(({ me }) => me?.user.role === 'admin');
}
