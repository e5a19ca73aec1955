import { create } from 'zustand';
import { setPreference, usePreferences } from '../page/preferences.ts';

/** Whether this browser shows notifications of ours; `default`: it has not been asked. */
export type Permission = NotificationPermission | 'unsupported' | 'insecure';

interface PermissionState {
  permission: Permission;
  /** It said no, here and now. */
  refused: boolean;
}

/** What the browser says; it may change outside of the page. */
export const usePermission = create<PermissionState>(() => ({
  permission: readPermission(),
  refused: false,
}));

/**
 * Asks the browser, which asks the person: only right after they pressed something. Notifications are on
 * if it agrees.
 */
export async function turnOnNotifications(): Promise<void> {
  const { permission } = usePermission.getState();
  if (permission === 'unsupported' || permission === 'insecure') return;
  await Notification.requestPermission();
  look();
  usePermission.setState({ refused: readPermission() === 'denied' });
  if (readPermission() === 'granted') setPreference({ notifications: 'on' });
}

/** Whether notifications are shown. */
export function areNotificationsOn(): boolean {
  return usePreferences.getState().notifications === 'on' && readPermission() === 'granted';
}

/** Notes when the permission is changed in the browser's own settings, until the returned function is called. */
export function followPermission(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  look();
  addEventListener('focus', look, { signal });
  // Some browsers know no such permission to ask about: then coming back to the page has to do.
  navigator.permissions
    ?.query({ name: 'notifications' })
    .then((status) => status.addEventListener('change', look, { signal }))
    .catch(() => undefined);
  return () => stop.abort();
}

function look(): void {
  usePermission.setState({ permission: readPermission() });
}

function readPermission(): Permission {
  if (typeof Notification === 'undefined') return 'unsupported';
  if (!isSecureContext) return 'insecure';
  // Phones show them only for installed apps, and refuse to make one here.
  return /Android/.test(navigator.userAgent) ? 'unsupported' : Notification.permission;
}
