import { say } from '#shared/errors/sentence.ts';
import type { Command } from './command.ts';
import { json } from './common-options.ts';

/** The commands that make answers again. */
export const replayCommands = {
  replay: {
    name: 'replay',
    does: say('cli-does-replay')`Replay a recorded answer, or branch it from any step`,
    args: 'TOPIC',
    words: [1, 1],
    options: {
      answer: {
        type: 'string',
        value: 'ID',
        help: say('cli-replay-answer')`Replay this answer; by default, the last one shown`,
      },
      from: {
        type: 'string',
        value: 'STEP',
        help: say('cli-replay-from')`Keep the steps before this one and branch from it`,
      },
      model: {
        type: 'string',
        value: 'MODEL',
        help: say('cli-replay-model')`Branch with this model`,
      },
      prompt: {
        type: 'string',
        value: 'TEXT',
        help: say('cli-replay-prompt')`Branch with this system prompt`,
      },
      tools: {
        type: 'string',
        value: 'recorded|live|ask',
        help: say(
          'cli-replay-tools',
        )`Branch with recorded results (default), with live calls, or with an approval for each call`,
      },
      yes: { type: 'boolean', default: false, help: say('cli-chat-yes')`Approve every tool call` },
      json,
    },
    note: say(
      'cli-replay-note',
    )`Without --from, --model, --prompt or --tools, the answer is replayed offline from its record and compared: the exit code is 1 if anything differs. With one of them, a new version is added next to the answer, and both are printed side by side.`,
    example: 'replay TOPIC --from 3 --model openai/gpt-5',
  },
  eval: {
    name: 'eval',
    does: say('cli-does-eval')`Regenerate answers from your chats and check them`,
    args: 'FILE',
    words: [1, 1],
    options: {
      model: {
        type: 'string',
        value: 'MODEL',
        help: say('cli-eval-model')`Use this model in every case`,
      },
      junit: {
        type: 'string',
        value: 'FILE',
        help: say('cli-eval-junit')`Also write the results as JUnit XML`,
      },
      yes: { type: 'boolean', default: false, help: say('cli-chat-yes')`Approve every tool call` },
      json: {
        type: 'boolean',
        default: false,
        help: say('cli-eval-json')`Print the results as JSON`,
      },
    },
    note: say(
      'cli-eval-note',
    )`FILE lists the cases: a chat, what to change, and what the new answer must contain, match or call. The exit code is 1 if a case fails.`,
    example: 'eval cases.json --junit results.xml',
  },
} as const satisfies Record<string, Command>;
