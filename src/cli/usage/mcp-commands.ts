import { say } from '#shared/errors/sentence.ts';
import { accessOptions } from './access-options.ts';
import type { Command } from './command.ts';
import { fieldOptions } from './server-fields.ts';

const json = {
  type: 'boolean',
  default: false,
  help: say('cli-option-json')`Print the API response`,
} as const;
const yes = {
  type: 'boolean',
  default: false,
  help: say('cli-option-yes')`Approve without asking`,
} as const;
const arg = {
  type: 'string',
  multiple: true,
  value: 'KEY=VALUE',
  help: say('cli-option-arg')`Pass an argument; repeatable`,
} as const;
const text = { type: 'string' } as const;
/** A server that is added has its name from the first word. */
const newFields = Object.fromEntries(
  Object.entries(fieldOptions).filter(([option]) => option !== 'name'),
);

/** One server by its name, and the answer of the API if wanted. */
const ofServer = { args: 'NAME', words: [1, 1], options: { json } } as const;

/** The commands of `cerise mcp`. */
export const mcpCommands = {
  list: {
    name: 'mcp list',
    does: say('cli-does-list')`List all servers and their state`,
    args: '',
    words: [0, 0],
    options: { json },
    example: 'mcp list',
  },
  add: {
    name: 'mcp add',
    does: say('cli-does-add')`Add a server that runs a command or is reached by its URL`,
    args: 'NAME (--url URL | -- COMMAND ARGS…)',
    words: [1, 1],
    negative: true,
    options: {
      ...newFields,
      ...accessOptions,
      assistant: {
        ...text,
        value: 'ID',
        help: say('cli-add-assistant')`Make it available to this assistant only`,
      },
      topic: {
        ...text,
        value: 'ID',
        help: say('cli-add-topic')`Make it available in this chat only`,
      },
      json,
    },
    example:
      'mcp add files --timeout 120 -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
  },
  edit: {
    name: 'mcp edit',
    does: say('cli-does-edit')`Change the settings of a server`,
    args: 'NAME [-- COMMAND ARGS…]',
    words: [1, 1],
    negative: true,
    options: {
      ...fieldOptions,
      ...accessOptions,
      unset: {
        ...text,
        multiple: true,
        value: 'FIELD',
        help: say(
          'cli-edit-unset',
        )`Remove a setting by its option, such as timeout or env.KEY; repeatable`,
      },
      json,
    },
    note: say(
      'cli-edit-note',
    )`Variables, headers and secrets are added to the existing ones. Folders, tools and tags replace them.`,
    example: 'mcp edit files --env TOKEN --unset timeout',
  },
  import: {
    name: 'mcp import',
    does: say(
      'cli-does-import',
    )`Import servers from another app's settings or an install link (- for standard input)`,
    args: 'FILE',
    words: [1, 1],
    options: {
      'dry-run': {
        type: 'boolean',
        default: false,
        help: say('cli-import-dry-run')`Only show what would be imported`,
      },
      answer: {
        ...text,
        multiple: true,
        value: 'ID=VALUE',
        help: say('cli-import-answer')`Fill in a value that is asked for; repeatable`,
      },
      json,
    },
    example: 'mcp import claude_desktop_config.json --dry-run',
  },
  install: {
    name: 'mcp install',
    does: say('cli-does-install')`Install a bundle (.mcpb, .dxt) as a draft`,
    args: 'FILE|URL',
    words: [1, 1],
    options: {
      set: {
        ...text,
        multiple: true,
        value: 'KEY[=VALUE]',
        help: say(
          'cli-install-set',
        )`Fill in a setting; without a value, use your variable of that name; repeatable`,
      },
      name: {
        ...text,
        value: 'NAME',
        help: say('cli-install-name')`Choose the name of the server`,
      },
      update: {
        ...text,
        value: 'NAME',
        help: say('cli-install-update')`Update a server that was installed from this bundle`,
      },
      sha256: { ...text, value: 'HASH', help: say('cli-install-hash')`Refuse any other file` },
      json,
    },
    example: 'mcp install notes.mcpb --set folder=/home/me/notes',
  },
  export: {
    name: 'mcp export',
    does: say('cli-does-export')`Print your servers as JSON, without secrets`,
    args: '',
    words: [0, 0],
    options: {
      format: {
        ...text,
        default: 'cerise',
        value: 'FORMAT',
        help: say('cli-export-format')`cerise, claude or vscode`,
      },
      json,
    },
    example: 'mcp export --format vscode',
  },
  approve: {
    name: 'mcp approve',
    does: say('cli-does-approve')`Review and approve a server's command, or a tool that changed`,
    args: '[NAME [TOOL]]',
    words: [0, 2],
    options: {
      all: {
        type: 'boolean',
        default: false,
        help: say('cli-approve-all')`Review every server that needs approval`,
      },
      yes,
      json,
    },
    example: 'mcp approve files',
  },
  enable: {
    ...ofServer,
    name: 'mcp enable',
    does: say('cli-does-enable')`Enable a server`,
    example: 'mcp enable files',
  },
  disable: {
    ...ofServer,
    name: 'mcp disable',
    does: say('cli-does-disable')`Disable a server`,
    example: 'mcp disable files',
  },
  restart: {
    ...ofServer,
    name: 'mcp restart',
    does: say('cli-does-restart')`Restart a server`,
    example: 'mcp restart files',
  },
  stop: {
    ...ofServer,
    name: 'mcp stop',
    does: say('cli-does-stop')`Stop a server until it is used again`,
    example: 'mcp stop files',
  },
  remove: {
    ...ofServer,
    name: 'mcp remove',
    does: say('cli-does-remove')`Remove a server`,
    example: 'mcp remove files',
  },
  'sign-in': {
    name: 'mcp sign-in',
    does: say('cli-does-mcp-sign-in')`Sign in to a protected server in your browser`,
    args: 'NAME',
    words: [1, 1],
    options: {
      headless: {
        type: 'boolean',
        default: false,
        help: say('cli-sign-in-headless')`Use a browser elsewhere and paste its final URL`,
      },
      'client-id': {
        ...text,
        value: 'ID',
        help: say('cli-sign-in-client')`Use a manually registered client`,
      },
      'client-secret-file': {
        ...text,
        value: 'FILE',
        help: say('cli-sign-in-secret')`Read the client's secret from this file`,
      },
      json,
    },
    example: 'mcp sign-in github --headless',
  },
  'sign-out': {
    name: 'mcp sign-out',
    does: say('cli-does-sign-out')`Revoke and delete the tokens of a server`,
    args: 'NAME',
    words: [1, 1],
    options: {},
    example: 'mcp sign-out github',
  },
  tools: {
    ...ofServer,
    name: 'mcp tools',
    does: say('cli-does-tools')`List the tools of a server`,
    example: 'mcp tools files',
  },
  call: {
    name: 'mcp call',
    does: say('cli-does-call')`Call a tool`,
    args: 'NAME TOOL [JSON]',
    words: [2, 3],
    options: { arg, yes, json },
    example: 'mcp call files list_directory --arg path=/home/me/notes',
  },
  prompts: {
    name: 'mcp prompts',
    does: say('cli-does-prompts')`List the prompts of a server, or fill one in`,
    args: 'NAME [PROMPT]',
    words: [1, 2],
    options: { arg, json },
    example: 'mcp prompts files summarise --arg path=notes.md',
  },
  resources: {
    ...ofServer,
    name: 'mcp resources',
    does: say('cli-does-resources')`List the resources and templates of a server`,
    example: 'mcp resources files',
  },
  read: {
    name: 'mcp read',
    does: say('cli-does-read')`Read a resource`,
    args: 'NAME URI',
    words: [2, 2],
    options: { json },
    example: 'mcp read files file:///home/me/notes/today.md',
  },
  logs: {
    ...ofServer,
    name: 'mcp logs',
    does: say('cli-does-logs')`Show the recent log of a server`,
    example: 'mcp logs files',
  },
  doctor: {
    name: 'mcp doctor',
    does: say('cli-does-doctor')`Connect and show what works and what doesn't`,
    args: '[NAME]',
    words: [0, 1],
    options: { json },
    example: 'mcp doctor files',
  },
} as const satisfies Record<string, Command>;
export type McpCommandName = keyof typeof mcpCommands;
