import { fencedCode } from '#shared/text/fenced-code.ts';
import { composeCall } from './answer.ts';
import type { Context, Kind, ScriptPart } from './context.ts';
import { spoken } from './player.ts';
import { callFor, ownName } from './tools.ts';

/** The stops with their kinds of tools, their title, and what is said before; the first one thinks instead. */
const stops = [
  'time list | Two tools at once ‖ 两个工具并行 | ',
  'image | An image as a result ‖ 图片结果 | Both are back. Next, a tool that returns an image. ‖ 两个结果都回来了。接下来是返回图片的工具。',
  'cite | Citations ‖ 引用来源 | Now a tool whose result is sources; they become numbered citations. ‖ 现在是返回来源的工具，来源会成为带编号的引用。',
  'slow | A long-running tool ‖ 耗时的工具 | This one takes a moment and reports its progress. ‖ 这个需要一点时间，并会报告进度。',
  'fail | A tool that fails ‖ 会失败的工具 | Things go wrong, too: this tool fails on purpose. ‖ 也会出错：这个工具会故意失败。',
  'large | A large result ‖ 很大的结果 | Last, a result of 200 KB: the model sees a part, you can see all. ‖ 最后是 200 KB 的结果：模型只看一部分，你可以看全部。',
].map((row) => {
  const [kinds = '', title = '', lead = ''] = row.split(' | ');
  return { kinds: kinds.split(' ') as Kind[], title, lead };
});

/** The next stop whose tools are there and were not yet called in this turn, else the summary. */
export function runTour(context: Context): ScriptPart[] {
  const { turn, tools, say } = context;
  const callsOf = (kind: Kind) => callFor({ kind, place: 'Tokyo', path: '.' }, tools) ?? [];
  const there = stops.filter(({ kinds }) => kinds.some((kind) => callsOf(kind).length > 0));
  const next = there.find(
    ({ kinds }) => !turn.calls.some(({ kind }) => kind && kinds.includes(kind)),
  );
  if (!next) return spoken(sumUpTour(context));
  const thought = say`The user wants the tour. With the tools at hand I can make ${there.length} of ${stops.length} stops. First come two independent questions, so I ask both tools at once. ‖ 用户想看导览。用现有的工具可以走完 ${stops.length} 站中的 ${there.length} 站。先问两个互不相关的问题，所以同时调用两个工具。`;
  return [
    ...(turn.rounds === 0 ? spoken(thought, 'thinking') : spoken(say(next.lead))),
    ...next.kinds.flatMap(callsOf).map((call): ScriptPart => ({ type: 'call', ...call })),
  ];
}

function sumUpTour(context: Context): string {
  const { turn, say } = context;
  const rows = stops.map(({ kinds, title }) => {
    const calls = turn.calls.filter(({ kind }) => kind && kinds.includes(kind));
    const names = calls.map((call) => `\`${ownName(call.toolName)}\``).join(', ') || '–';
    const failed = calls.filter(({ result }) => result?.isError).length;
    const some = failed < calls.length ? 'partly failed ‖ 部分失败' : 'failed ‖ 失败';
    const outcome = failed > 0 ? some : 'worked ‖ 成功';
    const said = say(calls.length > 0 ? outcome : 'left out: no such tool ‖ 跳过：没有这样的工具');
    return `| ${say(title)} | ${names} | ${said} |`;
  });
  const table = [say`| Stop | Tools | Outcome | ‖ | 站 | 工具 | 结果 |`, '|---|---|---|', ...rows];
  const [first] = turn.calls;
  const command = first && `/call ${ownName(first.toolName)} ${JSON.stringify(first.arguments)}`;
  const sections = [
    say`## The tour in short ‖ ## 导览小结`,
    table.join('\n'),
    first && `${say`### The first result ‖ ### 第一个结果`}\n\n${composeCall(first, [], context)}`,
    command && `${say`### Try it yourself ‖ ### 自己试试`}\n\n${fencedCode(command, 'text')}`,
    say`Everything above is stored block by block: **reload the page** and it is still there. ‖ 以上内容都按块保存：**刷新页面**也不会丢失。`,
  ];
  return sections.filter(Boolean).join('\n\n');
}
