import { errorStatus, type ErrorCode } from '#shared/errors/errors.ts';
import { fencedCode } from '#shared/text/fenced-code.ts';
import { isJsonObject, type JsonObject, parseJson } from '#shared/vocabulary/json.ts';
import type { Context, Ending, PastCall, Script } from './context.ts';
import { spoken } from './player.ts';
import { demoProse } from './prose.ts';
import { tell } from './show.ts';
import type { Kind } from './skills.ts';
import { ownName, toolsNamed } from './tools.ts';

const maxDeltas = 1_000_000;
/** Arguments over several lines are tried at every line. */
const maxJoinedChars = 10_000;

/** What a message that begins with a slash does; undefined for any other. */
export function scriptOfCommand(context: Context): Script | Ending | undefined {
  const [, name, argument = ''] = /^\s*\/([a-z]+)(?=\s|$)([^]*)$/.exec(context.turn.question) ?? [];
  if (name === undefined) return undefined;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const unknown = context.say`I don’t know \`/${name}\`. Available commands: ${known}. ‖ 没有 \`/${name}\` 这个命令。可用的命令：${known}。`;
  return command ? command(context, argument.trim()) : unknown;
}

const known = '`/call TOOL {json}`, `/tour`, `/write N`, `/think N`, `/error CODE`';

const commands: Record<string, (context: Context, argument: string) => Script | Ending> = {
  call: runCalls,
  tour: runTour,
  write: (context, argument) => writeDeltas(context, argument, 'text'),
  think: (context, argument) => writeDeltas(context, argument, 'thinking'),
  error({ say }, code) {
    if (code !== '' && !Object.hasOwn(errorStatus, code))
      return say`There’s no error code \`${code.slice(0, 100)}\`. ‖ 没有错误码 \`${code.slice(0, 100)}\`。`;
    const asked = (code || 'model_failed') as ErrorCode;
    const message = `The demo model was asked to fail with ${asked}.`;
    return [{ type: 'error', error: { code: asked, message } }];
  },
};

function writeDeltas({ say }: Context, argument: string, type: 'text' | 'thinking'): Ending {
  const count = Number(argument);
  if (!Number.isInteger(count) || count < 1 || count > maxDeltas)
    return say`Enter a whole number from 1 to ${maxDeltas} after the command. ‖ 请在命令后写一个 1 到 ${maxDeltas} 的整数。`;
  const end = say`I thought in ${count} pieces. ‖ 我分 ${count} 段思考完毕。`;
  return [{ type, deltas: demoProse(count) }, ...(type === 'thinking' ? spoken(end) : [])];
}

/** Round by round what the message lists; then what came of it. */
function* runCalls(context: Context): Script {
  const { turn, offered, say } = context;
  if (turn.rounds.length + offered.size === 0)
    return say`I don’t have any tools to call. ‖ 没有可以调用的工具。`;
  const told: string[] = [];
  for (const [index, round] of parseCalls(turn.question).entries()) {
    const problems = round.flatMap((call) => problemOf(call, context) ?? []);
    if (problems.length > 0 && index === turn.rounds.length) return problems.join('\n\n');
    const wants = round.map(({ name, json }) => {
      return { call: { toolName: name, arguments: parseObject(json) ?? {} } };
    });
    const calls = yield { wants, lead: '' };
    told.push(
      ...calls.flatMap((call) => (call ? tell(call, { kind: call.kind ?? 'help' }, context) : [])),
    );
  }
  return told.join('\n\n');
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
    const [, command, name, json = ''] = /^\s*(\/call\s+)?(\S+)(.*)$/.exec(line) ?? [];
    const isMore = open && command === undefined && open.json.length < maxJoinedChars;
    if (name === undefined || name === '/call') rounds.push([]);
    else if (isMore && !parseObject(open.json)) open.json += `\n${line}`;
    else round.push({ name, json: json.trim() });
  }
  return rounds.filter((round) => round.length > 0);
}

function parseObject(json: string): JsonObject | undefined {
  const value = parseJson(json || '{}');
  return isJsonObject(value) ? value : undefined;
}

/** What is wrong with a call that somebody wrote. */
function problemOf({ name, json }: WrittenCall, { tools, say }: Context): string | undefined {
  const start = json.slice(0, 200);
  const example = `\`/call ${name} {"key": "value"}\``;
  if (!parseObject(json))
    return say`The arguments of \`${name}\` aren’t a JSON object: \`${start}\`. For example: ${example}. ‖ \`${name}\` 的参数不是 JSON 对象：\`${start}\`。例如：${example}。`;
  const names = toolsNamed(name, tools).map((one) => `\`${one.name}\``);
  if (names.length < 2) return undefined;
  const list = names.join(', ');
  return say`\`${name}\` could be any of ${list}. ‖ \`${name}\` 可能是 ${list} 之一。`;
}

/** The stops with their kinds of tools, their title, and what is said before; the first one thinks instead. */
const stops = [
  'time list | Two tools at once ‖ 两个工具并行 | The user wants the tour. First come two questions that do not depend on each other, so I call both tools at once. ‖ 用户想看导览。先是两个互不相关的问题，所以同时调用两个工具。',
  'image | An image as a result ‖ 图片结果 | Both are back. Next, a tool that returns an image. ‖ 两个结果都回来了。接下来是返回图片的工具。',
  'cite | Citations ‖ 引用来源 | Now a tool that returns sources; they become numbered citations. ‖ 现在是返回来源的工具，来源会成为带编号的引用。',
  'slow | A long-running tool ‖ 耗时的工具 | This one takes a moment and reports its progress. ‖ 这个需要一点时间，并会报告进度。',
  'fail | A tool that fails ‖ 会失败的工具 | Things go wrong, too: this tool fails on purpose. ‖ 也会出错：这个工具会故意失败。',
  'large | A large result ‖ 很大的结果 | Last, a result of 200 KB: the model sees a part, you can see all of it. ‖ 最后是 200 KB 的结果：模型只看一部分，你可以看全部。',
].map((row) => row.split(' | '));

/** Calls a tool of every kind that there is, one stop after the other, and sums up. */
function* runTour(context: Context): Script {
  const { say, locale } = context;
  const place = say('Tokyo ‖ 东京');
  const chinese = locale === 'zh-CN' ? 'zh' : undefined;
  const rows = [say`| Stop | Tools | Outcome | ‖ | 步骤 | 工具 | 结果 |`, '|---|---|---|'];
  const made: PastCall[] = [];
  for (const [kinds = '', title = '', lead = ''] of stops) {
    const wants = kinds
      .split(' ')
      .map((kind) => ({ kind: kind as Kind, place, path: '.', chinese }));
    const thought = made.length === 0 ? stops[0]?.[2] : undefined;
    const calls = (yield { wants, lead: say(thought ?? lead) }).filter(
      (call) => call !== undefined,
    );
    made.push(...calls);
    const names = calls.map((call) => `\`${ownName(call.toolName)}\``).join(', ') || '–';
    rows.push(`| ${say(title)} | ${names} | ${say(outcomeOf(calls))} |`);
  }
  return sumUp(rows, made[0], context);
}

function outcomeOf(calls: PastCall[]): string {
  const failed = calls.filter(({ result }) => result?.isError).length;
  if (calls.length === 0) return 'skipped: no such tool ‖ 跳过：没有这样的工具';
  if (failed === 0) return 'worked ‖ 成功';
  return failed < calls.length ? 'partly failed ‖ 部分失败' : 'failed ‖ 失败';
}

function sumUp(rows: string[], first: PastCall | undefined, context: Context): string {
  const { say } = context;
  const sections = [say`## Tour summary ‖ ## 导览小结`, rows.join('\n')];
  if (first) {
    const command = `/call ${ownName(first.toolName)} ${JSON.stringify(first.arguments)}`;
    sections.push(
      `${say`### The first result ‖ ### 第一个结果`}\n\n${tell(first, { kind: 'help' }, context)}`,
      `${say`### Try it yourself ‖ ### 自己试试`}\n\n${fencedCode(command, 'text')}`,
    );
  }
  const next = say`Everything above is saved block by block: **reload the page** and it’s still there. To continue with a real model or your own tools, add a model in **Settings → Providers** or a server in **Servers**. ‖ 以上内容都按块保存：**刷新页面**也不会丢失。想用真正的模型或自己的工具，请在**设置 → 服务商**中添加模型，或在**服务器**页添加服务器。`;
  return [...sections, next].join('\n\n');
}
