import { useEffect, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import type { PolicyDocument } from '#shared/vocabulary/policy-api.ts';
import { api } from '../../../state/session/api.ts';

/** Part of the policy, as it should become. */
export type PolicyPatch = Partial<Omit<PolicyDocument, 'version'>>;

/** The policy, and the way to change one thing in it, whatever else changes meanwhile. */
export interface QuickPolicy {
  policy: PolicyDocument | undefined;
  error: ErrorInfo | undefined;
  busy: boolean;
  /** How often it was changed here: what goes by it is read anew. */
  writes: number;
  change: (patch: (policy: PolicyDocument) => PolicyPatch) => Promise<void>;
}

const mostTries = 4;

/** Reads the policy while a server is shown. */
export function useQuickPolicy(): QuickPolicy {
  const [policy, setPolicy] = useState<PolicyDocument>();
  const [error, setError] = useState<ErrorInfo>();
  const [busy, setBusy] = useState(false);
  const [writes, setWrites] = useState(0);
  useEffect(() => {
    api.policy.read().then(setPolicy, (failure: unknown) => setError(toErrorInfo(failure)));
  }, []);
  const change = async (patch: (policy: PolicyDocument) => PolicyPatch) => {
    setBusy(true);
    setError(undefined);
    if (policy) setPolicy({ ...policy, ...patch(policy) });
    try {
      setPolicy(await write(patch));
      setWrites((count) => count + 1);
    } catch (failure) {
      setError(toErrorInfo(failure));
      setPolicy(policy);
    } finally {
      setBusy(false);
    }
  };
  return { policy, error, busy, writes, change };
}

/** The change is made to what is there now; where that changes at the same time, once more. */
async function write(patch: (policy: PolicyDocument) => PolicyPatch): Promise<PolicyDocument> {
  for (let tries = 1; ; tries += 1) {
    const now = await api.policy.read();
    try {
      return await api.policy.write({ ...now, ...patch(now) });
    } catch (error) {
      if (toErrorInfo(error).code !== 'conflict' || tries >= mostTries) throw error;
    }
  }
}
