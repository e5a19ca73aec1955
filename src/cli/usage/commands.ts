import { say } from '#shared/errors/sentence.ts';
import type { Command } from './command.ts';
import { inspectCommands } from './inspect-commands.ts';
import { replayCommands } from './replay-commands.ts';

/** Every setting, by the variable that sets it. */
export const settingsNote = say(
  'cli-settings',
)`Settings: CERISE_HOME, CERISE_HOST, CERISE_PORT, CERISE_DATABASE_URL, CERISE_TOKEN, CERISE_SECRET_KEY,
  CERISE_ALLOWED_HOSTS, CERISE_PUBLIC_URL, CERISE_SIGN_IN_LINK, CERISE_FETCH_ALLOW,
  CERISE_SERVER_VARIABLES, CERISE_LOG_LEVEL, CERISE_DEMO_PACE, CERISE_LANG (en or zh)`;

/** The commands of `cerise` itself. */
export const commands = {
  serve: {
    name: 'serve',
    does: say('cli-does-serve')`Start the web app and the API`,
    args: '',
    words: [0, 0],
    options: {},
    note: settingsNote,
    example: 'serve',
  },
  chat: {
    name: 'chat',
    does: say('cli-does-chat')`Ask a question and print the answer`,
    args: '"QUESTION"',
    words: [1, Infinity],
    options: {
      model: { type: 'string', value: 'MODEL', help: say('cli-chat-model')`Use this model` },
      topic: { type: 'string', value: 'ID', help: say('cli-chat-topic')`Continue this chat` },
      yes: { type: 'boolean', default: false, help: say('cli-chat-yes')`Approve every tool call` },
      'no-tools': {
        type: 'boolean',
        default: false,
        help: say('cli-chat-no-tools')`Don't use tools`,
      },
      json: {
        type: 'boolean',
        default: false,
        help: say('cli-chat-json')`Print the events of the answer, one JSON object per line`,
      },
    },
    note: say(
      'cli-chat-note',
    )`Use - for standard input: git diff | cerise chat "Review this:" -. Without a question, cerise opens a chat in the terminal.`,
    example: 'chat "What time is it in Tokyo?"',
  },
  acp: {
    name: 'acp',
    does: say('cli-does-acp')`Chat in an editor that supports the Agent Client Protocol (ACP)`,
    args: '',
    words: [0, 0],
    options: {},
    note: say(
      'cli-acp-note',
    )`The editor starts this command and talks to it over standard input and output. Uses the running Cerise, or starts one.`,
    example: 'acp',
  },
  ...inspectCommands,
  ...replayCommands,
  'sign-in': {
    name: 'sign-in',
    does: say('cli-does-sign-in')`Print a link to sign in to the running Cerise in a browser`,
    args: '',
    words: [0, 0],
    options: {},
    example: 'sign-in',
  },
  backup: {
    name: 'backup',
    does: say(
      'cli-does-backup',
    )`Back up everything to a new file, even while Cerise is running (SQLite)`,
    args: 'FILE',
    words: [1, 1],
    options: {
      'without-key': {
        type: 'boolean',
        default: false,
        help: say('cli-backup-without-key')`Omit the key that encrypts stored secrets`,
      },
    },
    example: 'backup cerise.backup',
  },
  restore: {
    name: 'restore',
    does: say('cli-does-restore')`Restore a backup to the data folder`,
    args: 'FILE',
    words: [1, 1],
    options: {
      replace: {
        type: 'boolean',
        default: false,
        help: say(
          'cli-restore-replace',
        )`Replace existing data, and keep the old data in a folder next to it`,
      },
    },
    example: 'restore cerise.backup --replace',
  },
  'secrets rotate': {
    name: 'secrets rotate',
    does: say(
      'cli-does-secrets',
    )`Re-encrypt stored secrets with a new key, while Cerise is stopped`,
    args: '',
    words: [0, 0],
    options: {},
    example: 'secrets rotate',
  },
} as const satisfies Record<string, Command>;
export type CommandName = keyof typeof commands;

/** `cerise` without a command. */
export const alone = {
  name: '',
  args: '',
  does: say('cli-does-alone')`Chat in the terminal`,
} satisfies Pick<Command, 'name' | 'args' | 'does'>;

/** What has commands of its own, or takes no words: only in the overview. */
export const groups = [
  {
    name: 'mcp',
    args: 'COMMAND',
    does: say('cli-does-mcp')`Manage MCP servers: list, add, edit, approve, tools, call, doctor, …`,
  },
  { name: '--version', args: '', does: say('cli-does-version')`Print the version` },
] satisfies Pick<Command, 'name' | 'args' | 'does'>[];
