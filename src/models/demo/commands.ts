import { errorStatus, type ErrorCode } from '#shared/errors/errors.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import { composeResults } from './compose.ts';
import { spoken, type DemoContext, type PlannedCall, type ScriptPart } from './context.ts';
import { demoProse } from './prose.ts';
import { say } from './say.ts';
import { toolsNamed } from './tool-match.ts';
import { runTour } from './tour.ts';

const maxDeltas = 1_000_000;

/** The script of a message that is a command (`/call`, `/tour`, …); undefined for any other. */
export function runCommand(context: DemoContext): ScriptPart[] | undefined {
  const [, name, argument = ''] = /^\s*\/([a-z]+)(?=\s|$)([^]*)$/.exec(context.turn.question) ?? [];
  switch (name) {
    case undefined:
      return undefined;
    case 'call':
      return runCalls(context);
    case 'tour':
      return runTour(context);
    case 'write':
      return writeDeltas(argument, 'text');
    case 'think':
      return writeDeltas(argument, 'thinking');
    case 'error':
      return fail(argument.trim());
    default:
      return [
        spoken(
          'text',
          `I do not know \`/${name}\`. There are \`/call TOOL {json}\`, \`/tour\`, \`/write N\`, \`/think N\` and \`/error CODE\`.`,
        ),
      ];
  }
}

function writeDeltas(argument: string, type: 'text' | 'thinking'): ScriptPart[] {
  const count = Number(argument.trim());
  if (!Number.isInteger(count) || count < 1 || count > maxDeltas) {
    return [spoken('text', `Write a whole number from 1 to ${maxDeltas} after the command.`)];
  }
  const part: ScriptPart = { type, deltas: demoProse(count) };
  return type === 'text' ? [part] : [part, spoken('text', `I thought in ${count} pieces.`)];
}

function fail(code: string): ScriptPart[] {
  if (code !== '' && !Object.hasOwn(errorStatus, code)) {
    return [spoken('text', `There is no error code \`${code.slice(0, 100)}\`.`)];
  }
  const known = (code === '' ? 'model_failed' : code) as ErrorCode;
  const message = `The demo model was asked to fail with ${known}.`;
  return [{ type: 'error', error: { code: known, message } }];
}

/** Round by round what the message lists; then what came of it. */
function runCalls(context: DemoContext): ScriptPart[] {
  const { turn, tools, language } = context;
  const rounds = parseCalls(turn.question);
  const round = rounds[turn.rounds];
  if (turn.rounds === 0 && tools.length === 0) {
    return [spoken('text', say(language, 'I was given no tools to call.', '没有可以调用的工具。'))];
  }
  if (!round || tools.length === 0) return [spoken('text', composeResults([], context))];
  const planned = round.map((call) => toCall(call, context));
  const problems = planned.filter((call) => typeof call === 'string');
  if (problems.length > 0) return [spoken('text', problems.join('\n\n'))];
  return planned.flatMap((call): ScriptPart[] =>
    typeof call === 'string' ? [] : [{ type: 'call', ...call }],
  );
}

interface WrittenCall {
  name: string;
  json: string;
}

/** Lines are calls of one round, a blank line begins the next; JSON may go over several lines. */
function parseCalls(text: string): WrittenCall[][] {
  const rounds: WrittenCall[][] = [[]];
  for (const line of text.trim().split(/\r?\n/)) {
    const round = rounds.at(-1);
    const open = round?.at(-1);
    const [, command, name, json = ''] = /^\s*(\/call\s+)?(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || name === '/call') {
      if (round && round.length > 0) rounds.push([]);
    } else if (open && command === undefined && !isWhole(open.json)) open.json += `\n${line}`;
    else round?.push({ name, json });
  }
  return rounds.filter((round) => round.length > 0);
}

function isWhole(json: string): boolean {
  return json.trim() === '' || parseObject(json) !== undefined;
}

function parseObject(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json.trim() === '' ? '{}' : json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The call, or what is wrong with it. A name that no tool has is called all the same, to see. */
function toCall(
  { name, json }: WrittenCall,
  { tools, language }: DemoContext,
): PlannedCall | string {
  const input = parseObject(json);
  if (!input) {
    return say(
      language,
      `The arguments of \`${name}\` are not a JSON object: \`${json.slice(0, 200)}\`. Write for example \`/call ${name} {"key": "value"}\`.`,
      `\`${name}\` 的参数不是 JSON 对象：\`${json.slice(0, 200)}\`。例如：\`/call ${name} {"key": "value"}\`。`,
    );
  }
  const matches = toolsNamed(name, tools);
  if (matches.length > 1) {
    const names = matches.map((tool) => `\`${tool.name}\``).join(', ');
    return say(
      language,
      `\`${name}\` could be any of ${names}.`,
      `\`${name}\` 可能是 ${names} 之一。`,
    );
  }
  return { toolName: matches[0]?.name ?? name, arguments: input };
}
