/** A moment as the clocks of a zone show it. */
export interface ZonedTime {
  zone: string;
  epochMs: number;
  /** How far the zone is ahead of UTC at that moment. */
  offsetMs: number;
}

const dayMs = 86_400_000;

/** What the clocks of a zone show at a moment. `Temporal` would do this, but Node 24 does not have it. */
export function atMoment(zone: string, epochMs: number): ZonedTime {
  return { zone, epochMs, offsetMs: offsetAt(zone, epochMs) };
}

/**
 * The moment at which a zone's clocks show a time (`14:30`, on the day of `now`, or `2026-03-01T14:30`). Of two
 * such moments it is the first; a time that clocks skip is as much later. Undefined: that is no time.
 */
export function atLocalTime(text: string, now: ZonedTime): ZonedTime | undefined {
  const localMs = readLocalTime(text.trim(), now);
  if (localMs === undefined) return undefined;
  const before = offsetAt(now.zone, localMs - dayMs);
  const after = offsetAt(now.zone, localMs + dayMs);
  const found = [before, after].find((offset) => offsetAt(now.zone, localMs - offset) === offset);
  return atMoment(now.zone, localMs - (found ?? before));
}

/** `2026-03-01T14:30:00+01:00` */
export function toIsoText({ epochMs, offsetMs }: ZonedTime): string {
  return `${new Date(epochMs + offsetMs).toISOString().slice(0, 19)}${offsetText(offsetMs)}`;
}

/** `+05:45`; zones of long ago also have seconds. */
export function offsetText(offsetMs: number): string {
  const clock = new Date(Math.abs(offsetMs)).toISOString().slice(11, 19).replace(/:00$/, '');
  return `${offsetMs < 0 ? '-' : '+'}${clock}`;
}

/** Local times are counted as if they were UTC. */
function readLocalTime(text: string, { epochMs, offsetMs }: ZonedTime): number | undefined {
  const isClock = /^\d{1,2}:\d{2}(:\d{2})?$/.test(text);
  const today = new Date(epochMs + offsetMs).toISOString().slice(0, 10);
  const whole = isClock ? `${today}T${text.padStart(text.length > 5 ? 8 : 5, '0')}` : text;
  const [, day, clock = 'T00:00', seconds = ':00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?)?$/.exec(whole) ?? [];
  if (day === undefined) return undefined;
  const iso = `${day}T${clock.replace('T', '')}${seconds}.000Z`;
  const date = new Date(iso);
  // A day that the month does not have would silently be one of the next.
  return Number.isNaN(date.getTime()) || date.toISOString() !== iso ? undefined : date.getTime();
}

function offsetAt(zone: string, epochMs: number): number {
  const parts = new Intl.DateTimeFormat('en-US-u-ca-iso8601', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(epochMs);
  const at = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value);
  const local = new Date(0);
  local.setUTCFullYear(at('year'), at('month') - 1, at('day'));
  local.setUTCHours(at('hour'), at('minute'), at('second'));
  return local.getTime() - Math.floor(epochMs / 1000) * 1000;
}
