import { useEffect, useEffectEvent, useState } from 'react';
import type { ImportView } from '#shared/api/import-api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';

const pauseMs = 250;

/**
 * What the host makes of a text, a moment after it was typed, and of which. Nothing is added. `about` is what else
 * the answer depends on.
 */
export function useDryRun(
  text: string,
  dryRun: (text: string, signal: AbortSignal, about: string) => Promise<ImportView>,
  about = '',
) {
  const [seen, setSeen] = useState<{ text: string; view: ImportView }>();
  const [error, setError] = useState<ErrorInfo>();
  const show = (next: { text: string; view: ImportView }) => {
    setSeen(next);
    setError(undefined);
  };
  const fail = (failure: unknown) => setError(toErrorInfo(failure));
  const settle = useEffectEvent((outcome: ImportView | { failure: unknown } | undefined) => {
    if (outcome && 'entries' in outcome) return show({ text, view: outcome });
    setSeen(undefined);
    setError(outcome && toErrorInfo(outcome.failure));
  });
  const ask = useEffectEvent(dryRun);
  useEffect(() => {
    const left = new AbortController();
    const read = () =>
      ask(text, left.signal, about)
        .catch((failure: unknown) => ({ failure }))
        .then((outcome) => left.signal.aborted || settle(outcome));
    const timer = setTimeout(() => (text.trim() === '' ? settle(undefined) : void read()), pauseMs);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [text, about]);
  return { seen, error, show, fail };
}
