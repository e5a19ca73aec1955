import { say } from '#shared/errors/sentence.ts';

/** For programs. */
export const json = {
  type: 'boolean',
  default: false,
  help: say('cli-option-json')`Print the API response`,
} as const;
/** Instead of a question. */
export const yes = {
  type: 'boolean',
  default: false,
  help: say('cli-option-yes')`Approve without asking`,
} as const;
/** One argument of what is called. */
export const arg = {
  type: 'string',
  multiple: true,
  value: 'KEY=VALUE',
  help: say('cli-option-arg')`Pass an argument; repeatable`,
} as const;

/** One registry of the catalogue. */
export const registry = {
  type: 'string',
  value: 'ID',
  help: say('cli-option-registry')`Search only this registry`,
} as const;
/** Before the catalogue is read. */
export const check = {
  type: 'boolean',
  default: false,
  help: say('cli-option-check')`Refresh the registries first`,
} as const;

/** One server by its name, and the answer of the API if wanted. */
export const ofServer = { args: 'NAME', words: [1, 1], options: { json } } as const;
