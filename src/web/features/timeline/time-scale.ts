/** From a moment to another, in milliseconds since 1970. */
export interface TimeSpan {
  startedAt: number;
  endedAt: number;
}

/** Places moments on a line from 0 to 1. */
export interface TimeScale {
  place(at: number): number;
  /** Waits were so long that they are drawn shorter than they were. */
  isShortened: boolean;
}

/** The longest that nothing happens on the line, beside all the time in which something does. */
const longestGap = 0.15;
const leastMs = 200;

/** A scale for `whole`, on which long times outside of `busy` take little room. */
export function createTimeScale(whole: TimeSpan, busy: readonly TimeSpan[]): TimeScale {
  const spans = joined(busy);
  const active = spans.reduce((sum, span) => sum + span.endedAt - span.startedAt, 0);
  const most = Math.max(active * longestGap, leastMs);
  const edges = [
    whole.startedAt,
    ...spans.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt]),
    whole.endedAt,
  ];
  let isShortened = false;
  const points = [{ at: whole.startedAt, place: 0 }];
  let place = 0;
  for (const [index, at] of edges.entries()) {
    const from = edges[index - 1] ?? at;
    const length = Math.max(0, at - from);
    // Between an end and the next start nothing happens.
    const isGap = index % 2 === 1;
    if (isGap && length > most) isShortened = true;
    place += isGap ? Math.min(length, most) : length;
    points.push({ at: Math.max(at, from), place });
  }
  const end = place || 1;
  return { isShortened, place: (at) => placeOf(points, at) / end };
}

/** Spans that touch as one, in their order. */
function joined(spans: readonly TimeSpan[]): TimeSpan[] {
  const all: TimeSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const last = all.at(-1);
    if (last && span.startedAt <= last.endedAt)
      all[all.length - 1] = { ...last, endedAt: Math.max(last.endedAt, span.endedAt) };
    else all.push(span);
  }
  return all;
}

function placeOf(points: readonly { at: number; place: number }[], at: number): number {
  const index = points.findIndex((point) => point.at >= at);
  const next = points[index] ?? points.at(-1);
  const before = points[index - 1];
  if (!next) return 0;
  if (!before || index < 0 || next.at === before.at) return next.place;
  const part = (at - before.at) / (next.at - before.at);
  return before.place + part * (next.place - before.place);
}
