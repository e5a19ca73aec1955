import { useSyncExternalStore } from 'react';
import { readPart } from '../../state/page/parts.ts';

/** A hook for something that is loaded when it is first shown; undefined until then, and if it fails. */
export function createLazy<T>(load: () => Promise<T>): () => T | undefined {
  const listeners = new Set<() => void>();
  let value: T | undefined;
  let loading = false;
  const begin = async () => {
    if (loading || value !== undefined) return;
    loading = true;
    try {
      value = await readPart(load);
      for (const changed of listeners) changed();
    } catch (error) {
      console.warn('A part of the page could not be loaded:', error);
    }
    loading = false;
  };
  const subscribe = (changed: () => void) => {
    listeners.add(changed);
    void begin();
    return () => listeners.delete(changed);
  };
  return function useLazy() {
    return useSyncExternalStore(
      subscribe,
      () => value,
      () => value,
    );
  };
}
