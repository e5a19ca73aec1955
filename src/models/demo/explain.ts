import type { ToolDefinition } from '#shared/vocabulary/tool.ts';
import type { DemoContext, Language } from './context.ts';
import type { Intent } from './intent.ts';
import { enumerate, say } from './say.ts';
import { findTool, ownName, type TaskKind } from './tool-match.ts';

/** Examples of what each kind of tool can be asked. */
const examples: [TaskKind, string, string][] = [
  ['time', 'What time is it in Tokyo?', '东京现在几点？'],
  ['list', 'What files are in the workspace?', '工作区里有哪些文件？'],
  ['read', 'Read welcome.md', '打开 welcome.md'],
  ['calculate', 'What is 12 * (3 + 4)?', '计算 12 * (3 + 4)'],
  ['remember', 'Remember that my favourite colour is green', '记住我喜欢绿色'],
  ['fetch', 'Fetch https://example.com', '抓取 https://example.com'],
  ['image', 'Show me an image', '给我看一张图片'],
];

/** What the demo model can do with the tools it was given: the answer to whatever else is asked. */
export function explain({ tools, language }: DemoContext): string {
  const intro = say(
    language,
    'I am the **scripted demo model**: I follow a script and understand only a few kinds of questions.',
    '我是**脚本演示模型**：按脚本回答，只懂少数几类问题。',
  );
  if (tools.length === 0) {
    return `${intro}\n\n${say(
      language,
      'I was given no tools for this question. Turn on some servers, or choose a real model in the settings.',
      '这个问题没有提供任何工具。请启用一些服务器，或在设置中选择真正的模型。',
    )}`;
  }
  const usable = examples.filter(([kind]) => findTool(kind, tools));
  const lines = usable.map(([, english, chinese]) => `- ${say(language, english, chinese)}`);
  const more = say(
    language,
    `- \`/tour\` shows everything at once; \`/call TOOL {json}\` calls any tool.`,
    `- \`/tour\` 展示全部功能；\`/call 工具 {json}\` 调用任意工具。`,
  );
  const try_ = say(language, 'Try one of these:', '可以试试：');
  return `${intro}\n\n${try_}\n\n${[...lines, more].join('\n')}\n\n${toolSummary(tools, language)}`;
}

function toolSummary(tools: ToolDefinition[], language: Language): string {
  const names = tools.slice(0, 12).map(({ name }) => `\`${ownName(name)}\``);
  const rest = tools.length - names.length;
  const tail = rest > 0 ? say(language, ` and ${rest} more`, ` 等另外 ${rest} 个`) : '';
  return say(
    language,
    `Tools at hand: ${names.join(', ')}${tail}.`,
    `可用工具：${names.join('、')}${tail}。`,
  );
}

/** Which wishes could not be met because no tool fits. */
export function explainMissing(missing: Intent[], { language, now }: DemoContext): string {
  const wishes = [...new Set(missing.map(({ kind }) => say(language, ...wishOf(kind))))];
  if (wishes.length === 0) return '';
  const clock = missing.some(({ kind }) => kind === 'time')
    ? say(
        language,
        ` (This machine’s own clock says ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC.)`,
        `（本机时钟：${now.toISOString().slice(0, 16).replace('T', ' ')} UTC。）`,
      )
    : '';
  return say(
    language,
    `I have no tool for ${enumerate(language, wishes)}. Turn on a server that offers it.${clock}`,
    `我没有可以${enumerate(language, wishes)}的工具，请启用相应的服务器。${clock}`,
  );
}

function wishOf(kind: Intent['kind']): [string, string] {
  const wishes: Record<Intent['kind'], [string, string]> = {
    time: ['telling the time', '查询时间'],
    list: ['listing files', '列出文件'],
    read: ['reading files', '读取文件'],
    pick: ['reading files', '读取文件'],
    size: ['listing files', '列出文件'],
    rank: ['reading files', '读取文件'],
    append: ['reading and writing files', '读写文件'],
    write: ['writing files', '写入文件'],
    fetch: ['fetching web pages', '抓取网页'],
    remember: ['remembering things', '记住内容'],
    recall: ['remembering things', '记住内容'],
    calculate: ['arithmetic', '计算'],
    search: ['searching the web', '搜索网络'],
    image: ['showing images', '展示图片'],
    sound: ['playing sounds', '播放声音'],
    again: ['that', '处理它'],
    history: ['that', '处理它'],
    help: ['that', '处理它'],
  };
  return wishes[kind];
}
