import { useEffect } from 'react';
import { create } from 'zustand';
import type { ProviderTest } from '#client/api/settings.ts';
import { api } from '../../../state/session/api.ts';
import { showFailure } from '../../../ui/notices/notices.ts';

type Test = ProviderTest | Promise<ProviderTest>;

/** The newest test of each provider while the providers are shown: a dialog and the list behind it show the same. */
const useTests = create<Record<string, Test | undefined>>(() => ({}));

/** Forgets the tests with the list of providers: what they brought out holds for now. */
export function useForgottenTests(): void {
  useEffect(() => () => useTests.setState({}, true), []);
}

/** What the newest test of a provider brought out, and a way to test it; `onDone` is waited for before it is shown. */
export function useProviderTest(
  id: string,
  onDone: () => Promise<void>,
): [test: ProviderTest | 'running' | null, run: () => void] {
  const test = useTests((tests) => tests[id]);
  const run = () => {
    const ask = async () => {
      const result = await api.settings.testProvider(id);
      if (result.ok) await onDone();
      return result;
    };
    const running = ask();
    const settle = (result?: ProviderTest): boolean => {
      const isNewest = useTests.getState()[id] === running;
      if (isNewest) useTests.setState({ [id]: result });
      return isNewest;
    };
    useTests.setState({ [id]: running });
    running.then(settle, (error: unknown) => {
      if (settle()) showFailure(error);
    });
  };
  return [test instanceof Promise ? 'running' : (test ?? null), run];
}
