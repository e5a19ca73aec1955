/** Where browsers go to connect a program. */
export const consentPath = '/oauth/authorize';

const key = 'cerise.consent';
/** Milliseconds for which a sign-in may take a person elsewhere. */
const memoryMs = 10 * 60_000;

/** The request of a program that this page was opened with; undefined on any other page. */
export function consentPlace(): string | undefined {
  return location.pathname === consentPath ? location.pathname + location.search : undefined;
}

/** Keeps the request while the person signs in, perhaps on another site. */
export function keepConsent(): void {
  const place = consentPlace();
  if (place) sessionStorage.setItem(key, JSON.stringify({ place, at: Date.now() }));
}

/** Nothing is to be returned to: the person sees the request. */
export function forgetConsent(): void {
  sessionStorage.removeItem(key);
}

/** Once, after a sign-in that ended at the first page: back to the request that it was for. */
export function returnToConsent(): void {
  const stored = sessionStorage.getItem(key);
  if (stored === null || location.pathname !== '/' || location.search !== '') return;
  forgetConsent();
  const { place, at } = JSON.parse(stored) as { place: string; at: number };
  if (Math.abs(Date.now() - at) < memoryMs) history.replaceState(null, '', place);
}
