import { type RefObject, useEffect, useRef, useState } from 'react';
import { type HighlightedCode, Highlighting, isHighlightable, plainCode } from './highlighting.ts';
import { useNear } from './use-near.ts';

interface Job {
  language: string;
  /** Undefined where there is no such language. */
  work: Promise<Highlighting | undefined>;
}

const budget = 5;

/**
 * The highlighted part of a code that may still grow. Work begins when the code comes near the
 * viewport and never takes longer than a few milliseconds at a time.
 */
export function useHighlighting(
  place: RefObject<HTMLElement | null>,
  code: { text: string; language: string; open: boolean },
): HighlightedCode {
  const { text, language, open } = code;
  const near = useNear(place);
  const job = useRef<Job | undefined>(undefined);
  const [shown, setShown] = useState(plainCode);
  useEffect(() => {
    if (!near || language === '' || !isHighlightable(text)) return;
    let stopped = false;
    const run = async () => {
      if (job.current?.language !== language) job.current = { language, work: begin(language) };
      const work = await job.current.work;
      while (work && !stopped) {
        const more = workFor(budget, () => work.advance(text, open));
        setShown(work.current);
        if (!more) return;
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    };
    run().catch((error: unknown) => console.warn('Code is shown plain:', error));
    return () => {
      stopped = true;
    };
  }, [near, text, language, open]);
  // It may belong to what stood here before.
  return isHighlightable(text) && text.startsWith(shown.source) ? shown : plainCode;
}

/** Repeats a step until there is no more or the time is over; false if there is no more. */
function workFor(time: number, step: () => boolean): boolean {
  const end = performance.now() + time;
  while (performance.now() < end) if (!step()) return false;
  return true;
}

async function begin(language: string): Promise<Highlighting | undefined> {
  const { openLanguage } = await import('./highlight-engine.ts');
  const open = await openLanguage(language);
  return open && new Highlighting(open);
}
