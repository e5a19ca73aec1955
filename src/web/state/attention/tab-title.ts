import { plainLine } from '#shared/text/plain-line.ts';

/** What a tab has to tell. */
interface TabFacts {
  /** Of the conversation or the page that it shows. */
  name: string;
  /** How many approvals and questions wait for the person. */
  waiting: number;
  /** An answer ended while the person looked elsewhere. */
  finished: boolean;
  /** The conversation that it shows is being answered. */
  running: boolean;
  /** The line to the host is up. */
  live: boolean;
}

/** The most urgent of it. */
export type TabMark = 'waiting' | 'finished' | 'running' | 'none';

const mostNameChars = 100;
/** Begins like one of our own marks. */
const marked = /^(?:\(\d|✓|…)/u;

/** What the icon shows, and the title before its name. While the line is down, nobody knows what runs. */
export function markOf({ waiting, finished, running, live }: TabFacts): TabMark {
  if (waiting > 0) return 'waiting';
  if (finished) return 'finished';
  return running && live ? 'running' : 'none';
}

/** The title of a tab: the mark first, because tabs are narrow. Names are quoted that would pass for a mark. */
export function titleOf(facts: TabFacts): string {
  const marks: Record<TabMark, string> = {
    waiting: `(${facts.waiting > 99 ? '99+' : facts.waiting}) `,
    finished: '✓ ',
    running: '… ',
    none: '',
  };
  const name = plainLine(facts.name, mostNameChars);
  const shown = marked.test(name) ? `“${name}”` : name;
  return `${marks[markOf(facts)]}${shown === '' ? '' : `${shown} · `}Cerise`;
}
