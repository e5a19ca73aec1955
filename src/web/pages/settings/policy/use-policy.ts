import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type ErrorInfo, toErrorInfo } from '#shared/errors/errors.ts';
import type { PolicyDocument } from '#shared/vocabulary/policy-api.ts';
import { api } from '../../../state/session/api.ts';

/** Part of the policy, as it should become. */
export type PolicyPatch = Partial<Omit<PolicyDocument, 'version'>>;

/** The policy as it is shown, and the way to change it: only the version that is shown, never another. */
export interface PolicyState {
  policy: PolicyDocument | undefined;
  error: ErrorInfo | undefined;
  busy: boolean;
  /** Resolves with whether it was changed. */
  change: (patch: PolicyPatch) => Promise<boolean>;
}

/** Reads the policy; a change that meets another one is explained and the new state shown. */
export function usePolicy(): PolicyState {
  const t = useTranslations('policy');
  const [policy, setPolicy] = useState<PolicyDocument>();
  const [error, setError] = useState<ErrorInfo>();
  const [busy, setBusy] = useState(false);
  const read = async () => setPolicy(await api.policy.read());
  useEffect(() => {
    api.policy.read().then(setPolicy, (failure: unknown) => setError(toErrorInfo(failure)));
  }, []);
  const change = async (patch: PolicyPatch): Promise<boolean> => {
    if (!policy) return false;
    setBusy(true);
    setError(undefined);
    try {
      setPolicy(await api.policy.write({ ...policy, ...patch }));
      return true;
    } catch (failure) {
      const info = toErrorInfo(failure);
      const conflict = info.code === 'conflict';
      setError(
        conflict ? { code: info.code, message: t('conflict'), hint: t('conflictHint') } : info,
      );
      if (conflict) await read().catch((again: unknown) => setError(toErrorInfo(again)));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { policy, error, busy, change };
}
