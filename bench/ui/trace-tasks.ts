import type { CDPSession } from 'playwright-core';

/** One task of the page's main thread, in milliseconds. */
export interface Task {
  /** Since any moment; by the clock of `marks`. */
  start: number;
  wall: number;
  /** Without what other programs took meanwhile. */
  cpu: number;
}

/** What a trace held: the tasks, and when the page set its marks (`performance.mark`). */
export interface Trace {
  tasks: Task[];
  marks: Map<string, number>;
}

interface TraceEvent {
  name: string;
  cat?: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

const userTiming = 'blink.user_timing';
const categories = [
  'toplevel',
  'disabled-by-default-devtools.timeline',
  'devtools.timeline',
  userTiming,
];

/** The tasks of pages' main threads while `work` runs. */
export async function traceTasks(devtools: CDPSession, work: () => Promise<void>): Promise<Trace> {
  const events = await record(devtools, categories, work);
  const marks = events.filter(({ cat }) => cat?.includes(userTiming));
  return {
    tasks: tasksNamed(events, 'RunTask'),
    marks: new Map(marks.map(({ name, ts }) => [name, ts / 1000])),
  };
}

/** What pages did in their animation frames while `work` runs. */
export async function traceFrames(
  devtools: CDPSession,
  work: () => Promise<void>,
): Promise<Task[]> {
  const events = await record(devtools, ['devtools.timeline'], work);
  return tasksNamed(events, 'FireAnimationFrame');
}

async function record(
  devtools: CDPSession,
  includedCategories: string[],
  work: () => Promise<void>,
): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  devtools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as never[])));
  await devtools.send('Tracing.start', {
    traceConfig: { includedCategories, recordMode: 'recordUntilFull' },
  });
  await work();
  const ended = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  await devtools.send('Tracing.end');
  await ended;
  return events;
}

/** Those of main threads. */
function tasksNamed(events: TraceEvent[], name: string): Task[] {
  const key = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isMain = ({ name: what, args }: TraceEvent) =>
    what === 'thread_name' && args?.name === 'CrRendererMain';
  const main = new Set(events.filter(isMain).map(key));
  return events
    .filter((event) => event.name === name && main.has(key(event)))
    .map(({ ts, dur = 0, tdur = 0 }) => ({ start: ts / 1000, wall: dur / 1000, cpu: tdur / 1000 }));
}
