import type { Messages } from '../../messages/en/en.ts';

/** A part of the settings. */
export interface Section {
  /** Its place in the address. */
  id: string;
  title: keyof Messages['settings'];
  intro?: keyof Messages['settings'];
  adminOnly?: true;
}

/** The parts of the settings, in the order they are listed. */
export const sections = [
  { id: 'appearance', title: 'appearance', intro: 'appearanceHint' },
  { id: 'notifications', title: 'notifications', intro: 'notificationsHint' },
  { id: 'models', title: 'providers', intro: 'providersHint' },
  { id: 'approvals', title: 'approvals', intro: 'approvalsHint' },
  { id: 'usage', title: 'usage', intro: 'usageHint' },
  { id: 'data', title: 'data', intro: 'dataHint' },
  { id: 'host', title: 'host', intro: 'hostHint', adminOnly: true },
  { id: 'log', title: 'hostLog', intro: 'hostLogHint', adminOnly: true },
  { id: 'account', title: 'account' },
  { id: 'people', title: 'people', intro: 'peopleHint', adminOnly: true },
  { id: 'about', title: 'about' },
] as const satisfies Section[];

export type SectionId = (typeof sections)[number]['id'];

/** Those that whoever uses this browser can open. */
export function offeredSections(isAdmin: boolean): (Section & { id: SectionId })[] {
  const all: readonly (Section & { id: SectionId })[] = sections;
  return all.filter(({ adminOnly }) => isAdmin || !adminOnly);
}
