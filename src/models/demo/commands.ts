import { errorStatus, type ErrorCode } from '#shared/errors/errors.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { compose } from './answer.ts';
import type { Context, PlannedCall, ScriptPart } from './context.ts';
import { spoken } from './player.ts';
import { demoProse } from './prose.ts';
import { parseJson } from './results.ts';
import { toolsNamed } from './tools.ts';
import { runTour } from './tour.ts';

const maxDeltas = 1_000_000;

/** The script of a message that is a command (`/call`, `/tour`, …); undefined for any other. */
export function runCommand(context: Context): ScriptPart[] | undefined {
  const [, name, argument = ''] = /^\s*\/([a-z]+)(?=\s|$)([^]*)$/.exec(context.turn.question) ?? [];
  switch (name) {
    case undefined:
      return undefined;
    case 'call':
      return runCalls(context);
    case 'tour':
      return runTour(context);
    case 'write':
    case 'think':
      return writeDeltas(argument, name);
    case 'error':
      return fail(argument.trim() || 'model_failed');
    default:
      return spoken(
        `I do not know \`/${name}\`. There are \`/call TOOL {json}\`, \`/tour\`, \`/write N\`, \`/think N\` and \`/error CODE\`.`,
      );
  }
}

function writeDeltas(argument: string, command: 'write' | 'think'): ScriptPart[] {
  const count = Number(argument.trim());
  if (!Number.isInteger(count) || count < 1 || count > maxDeltas)
    return spoken(`Write a whole number from 1 to ${maxDeltas} after the command.`);
  const deltas = demoProse(count);
  if (command === 'write') return [{ type: 'text', deltas }];
  return [{ type: 'thinking', deltas }, ...spoken(`I thought in ${count} pieces.`)];
}

function fail(code: string): ScriptPart[] {
  if (!Object.hasOwn(errorStatus, code))
    return spoken(`There is no error code \`${code.slice(0, 100)}\`.`);
  const message = `The demo model was asked to fail with ${code}.`;
  return [{ type: 'error', error: { code: code as ErrorCode, message } }];
}

/** Round by round what the message lists; then what came of it. */
function runCalls(context: Context): ScriptPart[] {
  const { turn, tools, say } = context;
  const round = tools.length > 0 ? parseCalls(turn.question)[turn.rounds] : undefined;
  if (turn.rounds + tools.length === 0)
    return spoken(say`I was given no tools to call. ‖ 没有可以调用的工具。`);
  if (!round) return spoken(compose([], [], context));
  const calls = round.map((call) => toCall(call, context));
  const problems = calls.filter((call) => typeof call === 'string');
  if (problems.length > 0) return spoken(problems.join('\n\n'));
  return calls.flatMap((call) => (typeof call === 'string' ? [] : [{ type: 'call', ...call }]));
}

interface WrittenCall {
  name: string;
  json: string;
}

/** Lines are calls of one round, a blank line begins the next; JSON may go over several lines. */
function parseCalls(text: string): WrittenCall[][] {
  const rounds: WrittenCall[][] = [[]];
  for (const line of text.trim().split(/\r?\n/)) {
    const round = rounds.at(-1) ?? [];
    const open = round.at(-1);
    const [, command, name, json = ''] = /^\s*(\/call\s+)?(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || name === '/call') rounds.push([]);
    else if (open && command === undefined && !parseObject(open.json)) open.json += `\n${line}`;
    else round.push({ name, json });
  }
  return rounds.filter((round) => round.length > 0);
}

function parseObject(json: string): JsonObject | undefined {
  const value = parseJson(json.trim() || '{}');
  return isJsonObject(value) ? value : undefined;
}

/** The call, or what is wrong with it. A name that no tool has is called all the same, to see. */
function toCall({ name, json }: WrittenCall, { tools, say }: Context): PlannedCall | string {
  const input = parseObject(json);
  if (!input) {
    const start = json.slice(0, 200);
    const example = `\`/call ${name} {"key": "value"}\``;
    return say`The arguments of \`${name}\` are not a JSON object: \`${start}\`. Write for example ${example}. ‖ \`${name}\` 的参数不是 JSON 对象：\`${start}\`。例如：${example}。`;
  }
  const [tool, ...others] = toolsNamed(name, tools);
  if (!tool || others.length === 0) return { toolName: tool?.name ?? name, arguments: input };
  const names = [tool, ...others].map((one) => `\`${one.name}\``).join(', ');
  return say`\`${name}\` could be any of ${names}. ‖ \`${name}\` 可能是 ${names} 之一。`;
}
