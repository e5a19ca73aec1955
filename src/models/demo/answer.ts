import { formatBytes } from '#shared/text/bytes.ts';
import { fencedCode } from '#shared/text/fenced-code.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import type { Context, Intent, Kind, PastCall } from './context.ts';
import { listedFiles } from './plan.ts';
import { textOf } from './results.ts';
import { firstLines } from './say.ts';
import { aboutOf, maxLines, shows } from './show.ts';
import { skills } from './skills.ts';
import { kindOf, ownName } from './tools.ts';

/** What came of a turn, as markdown: results in the order of the calls, and what else was asked. */
export function compose(intents: Intent[], missing: Intent[], context: Context): string {
  const { turn } = context;
  const results = turn.calls.filter((call) => !isStep(call, intents, context));
  const sections = [
    ...results.map((call) => composeCall(call, intents, context)),
    ...intents.map((intent) => tells[intent.kind]?.(context, intent)),
    turn.rounds === 0 && missing.length > 0 ? tellMissing(missing, context) : '',
  ];
  return sections.filter(Boolean).join('\n\n');
}

/** Whether a call went well and was only on the way to what was asked: its result is not shown. */
function isStep({ kind, result }: PastCall, intents: Intent[], { turn }: Context): boolean {
  if (!result || result.isError) return false;
  const isAsked = (asked: Kind) => intents.some((intent) => intent.kind === asked);
  if (isAsked('size')) return kind === 'info' || kind === 'list';
  return isAsked('append') && kind === 'read' && turn.calls.some((call) => call.kind === 'write');
}

/** One call and its result, or honestly why there is none. */
export function composeCall(call: PastCall, intents: Intent[], context: Context): string {
  const { say, locale } = context;
  const { result, kind } = call;
  const text = textOf(result);
  const name = `\`${ownName(call.toolName)}\``;
  if (!result) return say`There is no result of ${name}. ‖ ${name} 没有返回结果。`;
  if (result.isError) return composeFailure(name, firstLines(text, 6).shown, context);
  const shown = { result, text, about: aboutOf(call), intents, say, locale };
  return (kind && shows[kind]?.(shown)?.trim()) ?? composeAny(name, text, result, context);
}

function composeFailure(name: string, why: string, { say }: Context): string {
  if (/\b(?:denied|declined|not allowed|rejected by|did not allow)\b|拒绝/i.test(why))
    return say`You did not allow ${name}, so I left it out. (${why}) ‖ 你没有允许 ${name}，所以我没有执行。（${why}）`;
  const quoted = why && `\n\n> ${why.replaceAll('\n', '\n> ')}`;
  return say`${name} failed:${quoted} ‖ ${name} 失败了：${quoted}`;
}

/** Any other tool: its data or text as it is. */
function composeAny(name: string, text: string, result: ToolResult, { say }: Context): string {
  if (text !== '' && !/^[[{]|\n/.test(text) && text.length < 300)
    return say`${name} answered: ${text} ‖ ${name} 的回答：${text}`;
  const data = result.structuredContent;
  const whole = text === '' && data !== undefined ? JSON.stringify(data, null, 2) : text;
  const { shown, total } = firstLines(whole, maxLines);
  const media = result.content.filter(({ type }) => type === 'image' || type === 'audio').length;
  if (shown === '' && media > 0)
    return say`${name} returned ${media} picture(s) or sound(s). ‖ ${name} 返回了 ${media} 个图片或声音。`;
  if (shown === '')
    return say`${name} is done; it returned no text. ‖ ${name} 已完成，没有返回文本。`;
  const isCut = total > maxLines;
  const cut = isCut
    ? say` (first ${maxLines} of ${total} lines) ‖ （共 ${total} 行，前 ${maxLines} 行）`
    : '';
  const head = say`${name} answered${cut}: ‖ ${name} 的回答${cut}：`;
  return `${head}\n\n${fencedCode(shown, /^[[{]/.test(shown) ? 'json' : '').trimEnd()}`;
}

/** What is said besides the results of calls. */
const tells: Partial<Record<Kind, (context: Context, intent: Intent) => string>> = {
  help: explain,
  history({ turns, say }) {
    const asked = turns.slice(0, -1).map(({ question }) => question.trim().split('\n')[0]);
    const lines = asked.filter(Boolean).map((question, index) => `${index + 1}. ${question}`);
    return lines.length > 0
      ? `${say`You asked: ‖ 你问过：`}\n\n${lines.join('\n')}`
      : say`This is your first question in this topic. ‖ 这是你在这个话题里的第一个问题。`;
  },
  pick: ({ turn, say }) =>
    turn.calls.length > 0
      ? ''
      : say`I have shown no such file yet; ask me to list the files first. ‖ 还没有列出过这样的文件，请先让我列出文件。`,
  size(context, { smallest }) {
    const { say } = context;
    const files = (listedFiles(context) ?? []).filter(({ size }) => size !== undefined);
    const [first] = files.toSorted(({ size: a = 0 }, { size: b = 0 }) =>
      smallest ? a - b : b - a,
    );
    if (!first) return say`I do not know the sizes of these files. ‖ 我不知道这些文件的大小。`;
    const word = smallest ? say`smallest ‖ 最小` : say`largest ‖ 最大`;
    const size = formatBytes(first.size ?? 0);
    return say`Of the ${files.length} files, \`${first.path}\` is the ${word}: ${size}. ‖ ${files.length} 个文件中${word}的是 \`${first.path}\`：${size}。`;
  },
};

/** Which wishes could not be met because no tool fits. */
function tellMissing(missing: Intent[], { say, locale, now }: Context): string {
  const wishes = new Set(missing.map(({ kind }) => say(skills[kind].wish ?? 'that ‖ 处理它')));
  const list = new Intl.ListFormat(locale).format(wishes);
  const utc = now.toISOString().slice(0, 16).replace('T', ' ');
  const isTime = missing.some(({ kind }) => kind === 'time');
  const clock = isTime
    ? say` (This machine’s own clock says ${utc} UTC.) ‖ （本机时钟：${utc} UTC。）`
    : '';
  return say`I have no tool for ${list}. Turn on a server that offers it.${clock} ‖ 我没有可以${list}的工具，请启用相应的服务器。${clock}`;
}

const examples: [Kind, string][] = [
  ['time', 'What time is it in Tokyo? ‖ 东京现在几点？'],
  ['list', 'What files are in the workspace? ‖ 工作区里有哪些文件？'],
  ['read', 'Read welcome.md ‖ 打开 welcome.md'],
  ['calculate', 'What is 12 * (3 + 4)? ‖ 计算 12 * (3 + 4)'],
  ['remember', 'Remember that my favourite colour is green ‖ 记住我喜欢绿色'],
  ['fetch', 'Fetch https://example.com ‖ 抓取 https://example.com'],
  ['image', 'Show me an image ‖ 给我看一张图片'],
];

/** What the demo model can do with the tools it was given: the answer to whatever else is asked. */
export function explain({ tools, say }: Context): string {
  const usable = new Set(tools.map(({ name }) => kindOf(name, tools)));
  const lines = examples.filter(([kind]) => usable.has(kind)).map(([, text]) => `- ${say(text)}`);
  const names = tools.slice(0, 12).map(({ name }) => `\`${ownName(name)}\``);
  const rest = tools.length - names.length;
  const more = rest > 0 ? say` and ${rest} more ‖  等另外 ${rest} 个` : '';
  const intro = say`I am the **scripted demo model**: I follow a script and understand only a few kinds of questions. ‖ 我是**脚本演示模型**：按脚本回答，只懂少数几类问题。`;
  const none = say`I was given no tools for this question. Turn on some servers, or choose a real model in the settings. ‖ 这个问题没有提供任何工具。请启用一些服务器，或在设置中选择真正的模型。`;
  const commands = say`- \`/tour\` shows everything at once; \`/call TOOL {json}\` calls any tool. ‖ - \`/tour\` 展示全部功能；\`/call 工具 {json}\` 调用任意工具。`;
  const atHand = say`Tools at hand: ${names.join(', ')}${more}. ‖ 可用工具：${names.join('、')}${more}。`;
  if (tools.length === 0) return `${intro}\n\n${none}`;
  const list = [...lines, commands].join('\n');
  return [intro, say`Try one of these: ‖ 可以试试：`, list, atHand].join('\n\n');
}
