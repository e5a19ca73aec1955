import { composeCall } from './compose.ts';
import { spoken, type DemoContext, type PlannedCall, type ScriptPart } from './context.ts';
import { fenced, say } from './say.ts';
import {
  fillArguments,
  findTool,
  kindOf,
  ownName,
  type Offer,
  type TaskKind,
} from './tool-match.ts';

interface Stop {
  kinds: TaskKind[];
  title: [string, string];
  /** Said before the calls; the first stop thinks instead. */
  lead: [string, string];
}

const stops: Stop[] = [
  {
    kinds: ['time', 'list'],
    title: ['Two tools at once', '两个工具并行'],
    lead: ['', ''],
  },
  {
    kinds: ['image'],
    title: ['An image as a result', '图片结果'],
    lead: [
      'Both are back. Next, a tool that returns an image.',
      '两个结果都回来了。接下来是返回图片的工具。',
    ],
  },
  {
    kinds: ['cite'],
    title: ['Citations', '引用来源'],
    lead: [
      'Now a tool whose result is sources; they become numbered citations.',
      '现在是返回来源的工具，来源会成为带编号的引用。',
    ],
  },
  {
    kinds: ['slow'],
    title: ['A long-running tool', '耗时的工具'],
    lead: ['This one takes a moment and reports its progress.', '这个需要一点时间，并会报告进度。'],
  },
  {
    kinds: ['fail'],
    title: ['A tool that fails', '会失败的工具'],
    lead: ['Things go wrong, too: this tool fails on purpose.', '也会出错：这个工具会故意失败。'],
  },
  {
    kinds: ['large'],
    title: ['A large result', '很大的结果'],
    lead: [
      'Last, a result of 200 KB: the model sees a part, you can see all.',
      '最后是 200 KB 的结果：模型只看一部分，你可以看全部。',
    ],
  },
];

const offers: Partial<Record<TaskKind, Offer[]>> = {
  time: [{ names: ['timezone', 'time_zone', 'tz', 'city', 'location'], value: 'Asia/Tokyo' }],
  list: [{ names: ['path', 'directory', 'dir', 'folder'], value: '.' }],
  cite: [{ names: ['topic', 'query', 'text'], value: 'cherries' }],
  slow: [
    { names: ['seconds', 'duration'], value: 2 },
    { names: ['steps'], value: 4 },
  ],
  fail: [{ names: ['message', 'reason'], value: 'This failure is part of the tour.' }],
  large: [{ names: ['kilobytes', 'size', 'kb'], value: 200 }],
};

/** The next stop whose tools are there and were not yet called in this turn, else the summary. */
export function runTour(context: DemoContext): ScriptPart[] {
  const { turn, tools, language } = context;
  const done = new Set(turn.calls.map((call) => kindOf(call.toolName, tools)));
  for (const stop of stops) {
    if (stop.kinds.some((kind) => done.has(kind))) continue;
    const calls = stop.kinds.flatMap((kind) => callFor(kind, context));
    if (calls.length === 0) continue;
    const lead =
      turn.rounds === 0 ? thinkingFor(context) : spoken('text', say(language, ...stop.lead));
    return [
      lead,
      ...calls.map(({ toolName, arguments: input }): ScriptPart => ({
        type: 'call',
        toolName,
        arguments: input,
      })),
    ];
  }
  return [spoken('text', summary(context))];
}

function callFor(kind: TaskKind, { tools }: DemoContext): PlannedCall[] {
  const tool = findTool(kind, tools);
  const filled = tool && fillArguments(tool.inputSchema, offers[kind] ?? []);
  return tool && filled ? [{ toolName: tool.name, arguments: filled }] : [];
}

function thinkingFor({ tools, language }: DemoContext): ScriptPart {
  const there = stops.filter(({ kinds }) => kinds.some((kind) => findTool(kind, tools)));
  return spoken(
    'thinking',
    say(
      language,
      `The user wants the tour. With the tools at hand I can make ${there.length} of ${stops.length} stops. First come two independent questions, so I ask both tools at once.`,
      `用户想看导览。用现有的工具可以走完 ${stops.length} 站中的 ${there.length} 站。先问两个互不相关的问题，所以同时调用两个工具。`,
    ),
  );
}

function summary(context: DemoContext): string {
  const { turn, tools, language } = context;
  const rows = stops.map(({ kinds, title }) => {
    const calls = turn.calls.filter((call) => {
      const kind = kindOf(call.toolName, tools);
      return kind !== undefined && kinds.includes(kind);
    });
    const names = calls.map((call) => `\`${ownName(call.toolName)}\``).join(', ');
    const outcome =
      calls.length === 0
        ? say(language, 'left out: no such tool', '跳过：没有这样的工具')
        : outcomeOf(
            calls.map(({ result }) => result?.isError === true),
            language,
          );
    return `| ${say(language, ...title)} | ${names || '–'} | ${outcome} |`;
  });
  const [first] = turn.calls;
  const example = first
    ? fenced(`/call ${ownName(first.toolName)} ${JSON.stringify(first.arguments)}`, 'text')
    : '';
  return [
    say(language, '## The tour in short', '## 导览小结'),
    say(
      language,
      '| Stop | Tools | Outcome |\n|---|---|---|',
      '| 站 | 工具 | 结果 |\n|---|---|---|',
    ) + `\n${rows.join('\n')}`,
    ...(first
      ? [say(language, '### The first result', '### 第一个结果'), composeCall(first, [], context)]
      : []),
    ...(example ? [say(language, '### Try it yourself', '### 自己试试'), example] : []),
    say(
      language,
      'Everything above is stored block by block: **reload the page** and it is still there.',
      '以上内容都按块保存：**刷新页面**也不会丢失。',
    ),
  ].join('\n\n');
}

function outcomeOf(errors: boolean[], language: DemoContext['language']): string {
  if (errors.every((error) => !error)) return say(language, 'worked', '成功');
  return errors.every(Boolean)
    ? say(language, 'failed', '失败')
    : say(language, 'partly failed', '部分失败');
}
