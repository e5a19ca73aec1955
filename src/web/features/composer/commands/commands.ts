import { create } from 'zustand';
import { showOverlay } from '../../../state/page/overlay.ts';

/** What the composer itself understands after a `/`; the rest of them are prompts of servers. */
export const ownCommands = ['new', 'compact', 'model', 'servers', 'assistant', 'help'] as const;
/** One of the composer's own commands. */
export type OwnCommand = (typeof ownCommands)[number];

/** Which panel of the composer is open. */
type Panel = 'model' | 'servers' | 'assistant';

/** The one panel that is open; a command opens one as its button does. */
export const usePanel = create<{ panel: Panel | null }>(() => ({ panel: null }));

/** Opens a panel, or closes it. */
export function openPanel(panel: Panel, open: boolean): void {
  usePanel.setState(({ panel: old }) => ({ panel: open ? panel : old === panel ? null : old }));
}

/** Does what a message says that is a command of the page and nothing else; false if it is none. */
export function runCommand(text: string, navigate: (path: string) => void): boolean {
  const name = /^\/(\w+)$/.exec(text.trim())?.[1];
  if (name === 'new' || name === 'clear') {
    navigate('/');
    return true;
  }
  if (name === 'help') {
    showOverlay('help');
    return true;
  }
  if (name !== 'model' && name !== 'servers' && name !== 'assistant') return false;
  openPanel(name, true);
  return true;
}
