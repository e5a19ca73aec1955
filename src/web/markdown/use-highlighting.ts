import { type RefObject, useEffect, useRef, useState } from 'react';
import { openHighlighter } from './highlighter.ts';
import { type HighlightedCode, Highlighting, isHighlightable, plainCode } from './highlighting.ts';
import { useNear } from './use-near.ts';

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
  const job = useRef<Highlighting | undefined>(undefined);
  const [shown, setShown] = useState(plainCode);
  useEffect(() => {
    return () => {
      job.current?.close();
      job.current = undefined;
    };
  }, [language]);
  useEffect(() => {
    if (!near || plainLanguages.has(language) || !isHighlightable(text)) return;
    const work = (job.current ??= new Highlighting(() => openHighlighter(language)));
    let stopped = false;
    const run = async () => {
      while (!stopped && (await work.advance(text, open))) setShown(work.current);
      setShown(work.current);
    };
    void run();
    return () => {
      stopped = true;
    };
  }, [near, text, language, open]);
  // It may belong to what stood here before.
  return isHighlightable(text) && text.startsWith(shown.source) ? shown : plainCode;
}

const plainLanguages = new Set(['', 'text', 'txt', 'plain', 'plaintext']);
