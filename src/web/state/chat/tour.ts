import { create } from 'zustand';
import { useCatalog } from '../catalog/catalog.ts';
import { useNewChat } from './new-chat.ts';

/** The stops of the tour of the page. */
export const tourStops = ['answer', 'composer', 'servers', 'settings'] as const;
/** One of the stops. */
export type TourStop = (typeof tourStops)[number];

const storageKey = 'cerise.tour';

interface TourState {
  /** Where the tour is; null while there is none. */
  stop: TourStop | null;
  /** Whether this browser has been shown around before. */
  seen: boolean;
}

/** The tour of the page; it is offered in the first place until it was taken once. */
export const useTour = create<TourState>(() => ({
  stop: null,
  seen: localStorage.getItem(storageKey) !== null,
}));

/** Begins the tour: the next new conversation is the demo model's, which has a part for everything. */
export function startTour(): void {
  const scripted = useCatalog.getState().models.find((model) => model.scripted);
  if (scripted) {
    const { choice } = useNewChat.getState();
    useNewChat.setState({ choice: { ...choice, model: scripted.id } });
  }
  useTour.setState({ stop: tourStops[0], seen: true });
  localStorage.setItem(storageKey, 'seen');
}

/** Goes on to a stop, or ends the tour. */
export function goToStop(stop: TourStop | undefined): void {
  useTour.setState({ stop: stop ?? null });
}
