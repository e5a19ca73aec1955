import { create } from 'zustand';
import type { InstallRequestView } from '#shared/api/registry-api.ts';
import { Rereading } from '#shared/async/rereading.ts';
import { api } from '../session/api.ts';

/** Requests to install servers: one's own, and for admins the open ones of others. */
export const useRequests = create<{ requests: InstallRequestView[] }>(() => ({ requests: [] }));

const reading = new Rereading(async () => {
  useRequests.setState(await api.registry.requests());
});

/** Reads the requests again. */
export function loadRequests(): Promise<void> {
  return reading.load();
}

/** Whether a request is news: somebody else's that is open, or one's own that was decided. */
export function isNews({ user, status }: InstallRequestView): boolean {
  return user === undefined ? status !== 'open' : status === 'open';
}
