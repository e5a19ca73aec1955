import { AsyncLocalStorage } from 'node:async_hooks';

/** Knows whether code runs inside a transaction of its store. */
export interface TransactionScope {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Throws where a second connection would be asked for from inside: it could wait for itself. */
  refuseInside(): void;
  /** Throws where a transaction's handle is used after its end. */
  requireInside(): void;
}

/** One scope a store, so that two stores in one process do not disturb each other. */
export function createTransactionScope(): TransactionScope {
  const storage = new AsyncLocalStorage<{ open: boolean }>();
  return {
    async run(work) {
      const state = { open: true };
      try {
        return await storage.run(state, work);
      } finally {
        state.open = false;
      }
    },
    refuseInside() {
      if (storage.getStore()?.open) {
        throw new Error('Inside a transaction use its own handle, not the store.');
      }
    },
    requireInside() {
      if (!storage.getStore()?.open) {
        throw new Error('This transaction has ended: its handle cannot be used any more.');
      }
    },
  };
}
