import { useEffect, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';

/** Loads something while it is shown, and again when `key` changes; what was loaded stays until then. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  key: string,
): { value?: T; error?: ErrorInfo } {
  const [state, setState] = useState<{ value?: T; error?: ErrorInfo }>({});
  useEffect(() => {
    const left = new AbortController();
    load(left.signal).then(
      (value) => left.signal.aborted || setState({ value }),
      (error: unknown) => left.signal.aborted || setState({ error: toErrorInfo(error) }),
    );
    return () => left.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `key` says when there is something new
  }, [key]);
  return state;
}
