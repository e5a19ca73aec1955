import { say } from '#shared/errors/sentence.ts';
import type { Command } from './command.ts';
import { json } from './common-options.ts';

/** The commands that show what a host has, and how it is set up. */
export const inspectCommands = {
  models: {
    name: 'models',
    does: say('cli-does-models')`List the models you can use`,
    args: '',
    words: [0, 0],
    options: { json },
    example: 'models',
  },
  topics: {
    name: 'topics',
    does: say('cli-does-topics')`List recent chats`,
    args: '',
    words: [0, 0],
    options: {
      limit: {
        type: 'string',
        default: '20',
        value: 'N',
        help: say('cli-topics-limit')`How many to list, up to 200`,
      },
      json,
    },
    example: 'topics --limit 50',
  },
  'topics search': {
    name: 'topics search',
    does: say('cli-does-topics-search')`Search all chats`,
    args: 'WORDS',
    words: [1, Infinity],
    options: { json },
    example: 'topics search release notes',
  },
  'topics export': {
    name: 'topics export',
    does: say('cli-does-topics-export')`Print a chat as Markdown or JSON`,
    args: 'ID',
    words: [1, 1],
    options: {
      format: {
        type: 'string',
        default: 'markdown',
        value: 'markdown|json',
        help: say('cli-topics-format')`The format; Markdown by default`,
      },
    },
    example: 'topics export ID > chat.md',
  },
  'topics delete': {
    name: 'topics delete',
    does: say('cli-does-topics-delete')`Delete chats`,
    args: 'ID …',
    words: [1, Infinity],
    options: {
      yes: {
        type: 'boolean',
        default: false,
        help: say('cli-topics-yes')`Don't ask for confirmation`,
      },
    },
    example: 'topics delete ID',
  },
  'tools export': {
    name: 'tools export',
    does: say('cli-does-tools-export')`Print the tools of servers in a provider's format`,
    args: '[NAME …]',
    words: [0, Infinity],
    options: {
      format: {
        type: 'string',
        default: 'openai',
        value: 'openai|anthropic|google',
        help: say('cli-tools-format')`The provider whose format to use; OpenAI by default`,
      },
    },
    note: say('cli-tools-note')`Without a name, prints the tools of every server.`,
    example: 'tools export memory --format anthropic',
  },
  doctor: {
    name: 'doctor',
    does: say('cli-does-host-doctor')`Check this host: settings, storage, models and servers`,
    args: '',
    words: [0, 0],
    options: { json },
    note: say('cli-doctor-note')`The exit code is 1 if something needs attention.`,
    example: 'doctor',
  },
  logs: {
    name: 'logs',
    does: say('cli-does-host-logs')`Print the recent log of the running Cerise`,
    args: '',
    words: [0, 0],
    options: {
      follow: {
        type: 'boolean',
        default: false,
        help: say('cli-logs-follow')`Print new lines until you press Ctrl-C`,
      },
      level: {
        type: 'string',
        default: 'debug',
        value: 'debug|info|warn|error',
        help: say('cli-logs-level')`Print only lines of this level and above`,
      },
      json: {
        type: 'boolean',
        default: false,
        help: say('cli-logs-json')`Print one JSON object per line`,
      },
    },
    note: say(
      'cli-logs-note',
    )`CERISE_LOG_LEVEL sets which lines are logged. To change that for an hour, use Settings → Host log.`,
    example: 'logs --follow --level warn',
  },
  config: {
    name: 'config',
    does: say('cli-does-config')`Print the settings in effect, and where each comes from`,
    args: '',
    words: [0, 0],
    options: {
      limits: {
        type: 'boolean',
        default: false,
        help: say('cli-config-limits')`Also list every limit`,
      },
      json,
    },
    example: 'config --limits',
  },
  completion: {
    name: 'completion',
    does: say('cli-does-completion')`Print a completion script for your shell`,
    args: 'bash|zsh|fish',
    words: [1, 1],
    options: {},
    note: say(
      'cli-completion-note',
    )`To use it in bash, add this line to ~/.bashrc: source <(cerise completion bash). In zsh, add the same line with zsh to ~/.zshrc, after compinit. In fish, run: cerise completion fish > ~/.config/fish/completions/cerise.fish`,
    example: 'completion bash',
  },
} as const satisfies Record<string, Command>;
