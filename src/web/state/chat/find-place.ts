import { create } from 'zustand';

/** The conversation whose search is open, if any is. */
export const useFindPlace = create<{ topicId: string | null }>(() => ({ topicId: null }));

/** Opens the search of a conversation as soon as that is shown. */
export function openFind(topicId: string): void {
  useFindPlace.setState({ topicId });
}

/** Closes the search of a conversation, if it is that one's. */
export function closeFind(topicId: string): void {
  if (useFindPlace.getState().topicId === topicId) useFindPlace.setState({ topicId: null });
}

/** For what closes on the way to the search: whether the focus goes back to where it was. */
export function returnsFocus(): boolean {
  return useFindPlace.getState().topicId === null;
}
