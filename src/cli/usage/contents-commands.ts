import { say } from '#shared/errors/sentence.ts';
import type { Command } from './command.ts';
import { arg, json, ofServer, yes } from './common-options.ts';

/** The commands of `cerise mcp` that use what servers offer. */
export const contentsCommands = {
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
  watch: {
    name: 'mcp watch',
    does: say('cli-does-watch')`Print a resource now and whenever it changes`,
    args: 'NAME URI',
    words: [2, 2],
    options: {
      json: { ...json, help: say('cli-watch-json')`Print one JSON object per change` },
    },
    note: say('cli-watch-note')`Press Ctrl-C to stop.`,
    example: 'mcp watch files file:///home/me/notes/today.md',
  },
  complete: {
    name: 'mcp complete',
    does: say('cli-does-complete')`Get suggested values for an argument of a prompt or template`,
    args: 'NAME ARGUMENT [VALUE]',
    words: [2, 3],
    options: {
      prompt: {
        type: 'string',
        value: 'PROMPT',
        help: say('cli-complete-prompt')`The prompt that has the argument`,
      },
      template: {
        type: 'string',
        value: 'URI',
        help: say('cli-complete-template')`The resource template that has the argument`,
      },
      arg: {
        ...arg,
        help: say('cli-complete-arg')`Another argument that's already filled in; repeatable`,
      },
      json,
    },
    example: 'mcp complete github owner ce --prompt review',
  },
  skills: {
    name: 'mcp skills',
    does: say('cli-does-skills')`List the skills of a server, or print a skill's file`,
    args: 'NAME [URI [FILE]]',
    words: [1, 3],
    options: { json },
    example: 'mcp skills docs',
  },
  batch: {
    name: 'mcp batch',
    does: say('cli-does-batch')`Call several tools in parallel`,
    args: 'FILE',
    words: [1, 1],
    options: {
      key: {
        type: 'string',
        value: 'KEY',
        help: say('cli-batch-key')`Idempotency key; calls with the same key run only once`,
      },
    },
    note: say(
      'cli-batch-note',
    )`Each line of the file is a call: {"server": "NAME", "tool": "TOOL", "arguments": {…}}. Use - for standard input. Prints one JSON object per call, in the same order. Calls that need approval wait in Cerise.`,
    example: 'mcp batch calls.jsonl',
  },
} as const satisfies Record<string, Command>;
