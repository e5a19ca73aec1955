import { type PageLimits, usualLimits } from '#shared/vocabulary/limits.ts';
import { useSession } from './session.ts';

/** The limits of this host; those that ship until it has told. */
export function readLimits(): PageLimits {
  return useSession.getState().me?.limits ?? usualLimits;
}

/** The same, for components. */
export function useLimits(): PageLimits {
  return useSession(({ me }) => me?.limits) ?? usualLimits;
}
