import { useState } from 'react';
import type { ProviderTest } from '#client/api/settings.ts';
import { api } from '../../../state/session/api.ts';
import { useNewest } from '../../../ui/hooks/use-newest.ts';
import { showFailure } from '../../../ui/notices/notices.ts';

/** What the newest test of a provider brought out, and a way to test it; `onDone` is waited for before it is shown. */
export function useProviderTest(
  id: string,
  onDone: () => Promise<void>,
): [test: ProviderTest | 'running' | null, run: () => void] {
  const [test, setTest] = useState<ProviderTest | 'running' | null>(null);
  const started = useNewest();
  const run = () => {
    const isNewest = started();
    setTest('running');
    const ask = async () => {
      const result = await api.settings.testProvider(id);
      if (result.ok) await onDone();
      return result;
    };
    ask().then(
      (result) => isNewest() && setTest(result),
      (error: unknown) => {
        if (!isNewest()) return;
        setTest(null);
        showFailure(error);
      },
    );
  };
  return [test, run];
}
