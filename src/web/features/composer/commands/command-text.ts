import type { OwnCommand } from './commands.ts';

/** What each command does, as a key of the texts. */
export const commandText = {
  new: 'commandNew',
  compact: 'commandCompact',
  model: 'commandModel',
  servers: 'commandServers',
  assistant: 'commandAssistant',
  help: 'commandHelp',
} as const satisfies Record<OwnCommand, string>;
