import { say } from '#shared/errors/sentence.ts';
import { accessOptions } from './access-options.ts';
import { attachmentOptions } from './attachment-options.ts';
import type { Command } from './command.ts';
import { check, json, ofServer, registry, yes } from './common-options.ts';
import { contentsCommands } from './contents-commands.ts';
import { fieldOptions } from './server-fields.ts';

const text = { type: 'string' } as const;
/** A server that is added has its name from the first word. */
const newFields = Object.fromEntries(
  Object.entries(fieldOptions).filter(([option]) => option !== 'name'),
);

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
      ...attachmentOptions,
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
        help: say('cli-import-answer')`Fill in a requested value; repeatable`,
      },
      ...attachmentOptions,
      json,
    },
    example: 'mcp import claude_desktop_config.json --dry-run',
  },
  search: {
    name: 'mcp search',
    does: say('cli-does-search')`Search the catalogue for servers to install`,
    args: 'WORDS…',
    words: [1, 20],
    options: {
      registry,
      check,
      json,
    },
    example: 'mcp search postgres',
  },
  install: {
    name: 'mcp install',
    does: say(
      'cli-does-install',
    )`Install a server from the catalogue or a bundle (.mcpb, .dxt), to be approved before it runs`,
    args: 'NAME[@VERSION]|FILE|URL',
    words: [1, 1],
    options: {
      registry,
      way: {
        ...text,
        value: 'PLACE',
        help: say('cli-install-way')`Choose one of its packages or URLs, such as remotes[0]`,
      },
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
        help: say('cli-install-update')`Update this server instead of adding one`,
      },
      request: {
        type: 'boolean',
        default: false,
        help: say('cli-install-request')`Ask an admin to install it`,
      },
      for: {
        ...text,
        value: 'ID',
        help: say('cli-install-for')`Approve this request and install the server`,
      },
      sha256: { ...text, value: 'HASH', help: say('cli-install-hash')`Reject any other file` },
      ...attachmentOptions,
      json,
    },
    example: 'mcp install @modelcontextprotocol/server-filesystem --set path=/home/me/notes',
  },
  updates: {
    name: 'mcp updates',
    does: say('cli-does-updates')`List newer versions of installed servers and what they change`,
    args: '',
    words: [0, 0],
    options: {
      check,
      json,
    },
    example: 'mcp updates --check',
  },
  registries: {
    name: 'mcp registries',
    does: say('cli-does-registries')`List, add, remove or refresh the registries of the catalogue`,
    args: '[add NAME URL|FILE | remove ID | check [ID]]',
    words: [0, 3],
    options: { json },
    example: 'mcp registries add Company https://mcp.example.com',
  },
  requests: {
    name: 'mcp requests',
    does: say('cli-does-requests')`List requests to install servers, or deny or withdraw one`,
    args: '[deny ID | withdraw ID]',
    words: [0, 2],
    options: { json },
    example: 'mcp requests',
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
  rehearse: {
    name: 'mcp rehearse',
    does: say('cli-does-rehearse')`Try a changed server with recorded read-only calls`,
    args: 'NAME',
    words: [1, 1],
    options: { yes, json },
    note: say(
      'cli-rehearse-note',
    )`Shows the command and the calls. After you confirm, a separate instance of the server repeats them, and the results are compared with the recorded ones. Nothing is approved. The exit code is 1 if anything differs.`,
    example: 'mcp rehearse files',
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
  ...contentsCommands,
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
  serve: {
    name: 'mcp serve',
    does: say('cli-does-serve-mcp')`Run as an MCP server over stdio, for other programs`,
    args: '[NAME]',
    words: [0, 1],
    options: {
      search: {
        type: 'boolean',
        help: say(
          'cli-serve-search',
        )`Offer only two tools: one to search all tools, one to call them`,
      },
    },
    note: say(
      'cli-serve-note',
    )`Without NAME, offers the tools of all servers. Uses the running Cerise, or starts one.`,
    example: 'mcp serve files',
  },
} as const satisfies Record<string, Command>;
export type McpCommandName = keyof typeof mcpCommands;
