import { useEffect, useRef, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import { showFailure } from '../notices/notices.ts';

/** Gives a function that does nothing while what it did before is still under way. */
export function useOnce(): (act: () => Promise<unknown>) => Promise<void> {
  const isBusy = useRef(false);
  return async (act) => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await act();
    } finally {
      isBusy.current = false;
    }
  };
}

/** Whether what asks is still shown; what comes of a request may come later than that. */
export function useIsMounted(): () => boolean {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return () => shown.current;
}

/**
 * Sends a form: a second click or Enter while it is on its way does nothing. Why it failed stands beside
 * it, or at the edge of the page once it was closed; `onDone` is left out then, since what is open now is
 * something else.
 */
export function useSubmit(onDone: () => void = () => undefined): {
  error: ErrorInfo | undefined;
  busy: boolean;
  submit: (send: () => Promise<unknown>) => void;
} {
  const [error, setError] = useState<ErrorInfo>();
  const [busy, setBusy] = useState(false);
  const isShown = useIsMounted();
  const once = useOnce();
  const submit = (send: () => Promise<unknown>) =>
    void once(async () => {
      setError(undefined);
      setBusy(true);
      try {
        await send();
        if (isShown()) onDone();
      } catch (failure) {
        if (isShown()) setError(toErrorInfo(failure));
        else showFailure(failure);
      } finally {
        setBusy(false);
      }
    });
  return { error, busy, submit };
}
