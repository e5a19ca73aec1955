import { type RefObject, useEffect, useRef, useState } from 'react';
import { useNear } from '../../../ui/hooks/use-near.ts';
import { openHighlighter } from './highlighter.ts';
import { type HighlightedCode, Highlighting, isHighlightable, plainCode } from './highlighting.ts';

interface Job {
  language: string;
  work: Highlighting;
}

/**
 * The highlighted part of a code that may still grow. Work begins when the code comes near the
 * viewport, and is done beside the page.
 */
export function useHighlighting(
  place: RefObject<HTMLElement | null>,
  code: { text: string; language: string; open: boolean },
): HighlightedCode {
  const { text, language, open } = code;
  const near = useNear(place);
  const job = useRef<Job | undefined>(undefined);
  const [shown, setShown] = useState(plainCode);
  useEffect(
    () => () => {
      job.current?.work.close();
      job.current = undefined;
    },
    [],
  );
  useEffect(() => {
    if (!near || plainLanguages.has(language) || !isHighlightable(text)) return;
    const work = workOf(job, language);
    const stop = new AbortController();
    const run = async () => {
      while (await work.advance(text, open)) {
        if (stop.signal.aborted) return;
        setShown(work.current);
      }
      setShown(work.current);
    };
    void run();
    return () => stop.abort();
  }, [near, text, language, open]);
  // It may belong to what stood here before.
  return isHighlightable(text) && text.startsWith(shown.source) ? shown : plainCode;
}

const plainLanguages = new Set(['', 'text', 'txt', 'plain', 'plaintext']);

/** One job for each language that the code was in. */
function workOf(job: RefObject<Job | undefined>, language: string): Highlighting {
  if (job.current?.language === language) return job.current.work;
  job.current?.work.close();
  const work = new Highlighting(() => openHighlighter(language));
  job.current = { language, work };
  return work;
}
