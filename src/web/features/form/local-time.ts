/** A moment as `datetime-local` shows it, in the zone of this browser; undefined if it is none. */
export function toLocalTime(moment: string): string | undefined {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return undefined;
  const zone = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - zone).toISOString().slice(0, 19);
}

/** What was chosen there as a moment with its zone; empty for nothing. */
export function fromLocalTime(local: string): string {
  const time = Date.parse(local);
  return Number.isNaN(time) ? '' : new Date(time).toISOString().replace('.000Z', 'Z');
}
