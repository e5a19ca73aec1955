import type { Language } from './context.ts';
import type { PastCall } from './history.ts';
import type { Intent } from './intent.ts';
import { dataOf, entriesOf, fieldOf, itemsOf, stringOf, textOf } from './results.ts';
import { fenced, firstLines, formatSize, say } from './say.ts';
import type { TaskKind } from './tool-match.ts';
import { cityOf, zoneOf } from './zones.ts';

const maxLines = 40;
const maxItems = 50;

/** A call that succeeded, with the question it belongs to. */
export interface Section {
  call: PastCall;
  intents: Intent[];
  language: Language;
}
/** Undefined when the result has another form than expected: then it is shown as it is. */
type Writer = (section: Section) => string | undefined;

/** How the result of each kind of tool is worded. */
export const writers: Partial<Record<TaskKind, Writer>> = {
  time: writeTime,
  list: writeListing,
  read: writeFile,
  write: ({ call, language }) =>
    say(language, `The file is written: \`${pathOf(call)}\`.`, `文件已写入：\`${pathOf(call)}\`。`),
  fetch: writePage,
  remember: writeRemembered,
  observe: writeRemembered,
  recall: writeMemories,
  calculate: writeValue,
  search: writeSources,
  cite: writeSources,
  image: ({ call, language }) => {
    const about = textOf(call.result);
    return say(language, `Here is the image. ${about}`, `这是图片。${about}`).trim();
  },
  sound: ({ call, language }) => {
    const about = textOf(call.result);
    return say(language, `Here is the sound. ${about}`, `这是声音。${about}`).trim();
  },
  large: writeLarge,
};

function writeTime({ call, intents, language }: Section): string | undefined {
  const zone = fieldOf(call.result, 'timezone', 'time_zone', 'zone') ?? '';
  const moment =
    fieldOf(call.result, 'datetime', 'time', 'iso', 'local_time') ?? textOf(call.result);
  const [, year, month, day, time] = /(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d)/.exec(moment) ?? [];
  if (time === undefined) return undefined;
  const asked = intents.find(
    (intent) =>
      intent.kind === 'time' && intent.place !== undefined && zoneOf(intent.place) === zone,
  );
  const place = (asked?.kind === 'time' ? asked.place : undefined) ?? cityOf(zone);
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const spelled = date.toLocaleDateString(language === 'zh' ? 'zh-CN' : 'en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const where = zone === '' ? '' : say(language, ` (${zone})`, `（${zone}）`);
  if (place === '')
    return say(language, `It is **${time}** on ${spelled}.`, `现在是 ${spelled} **${time}**。`);
  return say(
    language,
    `In **${place}** it is **${time}** on ${spelled}${where}.`,
    `**${place}**现在是 **${time}**，${spelled}${where}。`,
  );
}

function writeListing({ call, language }: Section): string | undefined {
  const entries = entriesOf(call.result);
  if (entries.length === 0) return undefined;
  const path = pathOf(call);
  const root = path === '.' || path === '';
  const where = root ? say(language, 'The workspace', '工作区') : `\`${path}\``;
  const lines = entries.slice(0, maxItems).map(({ name, folder, size }) => {
    const detail = size === undefined ? '' : ` (${formatSize(size)})`;
    return folder ? `- \`${name}/\`` : `- \`${name}\`${detail}`;
  });
  if (entries.length > maxItems) lines.push(`- … (${entries.length - maxItems})`);
  const count = entries.length;
  const head = say(
    language,
    `${where} holds ${count} ${count === 1 ? 'entry' : 'entries'}:`,
    `${where}里有 ${count} 项：`,
  );
  return `${head}\n\n${lines.join('\n')}`;
}

const languages: Record<string, string> = {
  md: 'markdown',
  ts: 'ts',
  js: 'js',
  json: 'json',
  csv: 'csv',
  py: 'python',
  html: 'html',
};

function writeFile({ call, language }: Section): string | undefined {
  const text = fieldOf(call.result, 'content', 'text') ?? textOf(call.result);
  if (text === '') return undefined;
  const path = pathOf(call);
  const { shown, total } = firstLines(text, maxLines);
  const cut = total > maxLines;
  const head = say(
    language,
    `\`${path}\` has ${total} line${total === 1 ? '' : 's'}${cut ? `; the first ${maxLines}` : ''}:`,
    `\`${path}\` 共 ${total} 行${cut ? `，前 ${maxLines} 行` : ''}：`,
  );
  return `${head}\n\n${fenced(shown, languages[path.split('.').at(-1) ?? ''] ?? '')}`;
}

function writePage({ call, language }: Section): string | undefined {
  const text = textOf(call.result);
  if (text === '') return undefined;
  const url = Object.values(call.arguments).find((value) => typeof value === 'string') ?? '';
  const title = /^#+\s+(.+)$/m.exec(text)?.[1]?.trim();
  const { shown, total } = firstLines(text, 12);
  const named = title === undefined ? `<${url}>` : `“${title}” (<${url}>)`;
  const head = say(
    language,
    `I fetched ${named}: ${text.length} characters in ${total} line${total === 1 ? '' : 's'}. It begins:`,
    `我抓取了 ${named}：共 ${text.length} 个字符，${total} 行。开头是：`,
  );
  return `${head}\n\n> ${shown.trim().replaceAll('\n', '\n> ')}`;
}

function writeRemembered({ call, intents, language }: Section): string | undefined {
  const nothing = dataOf(call.result) !== undefined && itemsOf(call.result).length === 0;
  const fact = intents.find((intent) => intent.kind === 'remember');
  if (nothing) return '';
  return fact?.kind === 'remember'
    ? say(language, `I will remember: **${fact.fact}**`, `我记住了：**${fact.fact}**`)
    : undefined;
}

function writeMemories({ call, intents, language }: Section): string | undefined {
  const facts = itemsOf(call.result).flatMap((entity) => {
    const observations = Array.isArray(entity['observations']) ? entity['observations'] : [];
    return observations.map((fact) => ({ name: stringOf(entity['name']), fact: stringOf(fact) }));
  });
  if (facts.length === 0) {
    return dataOf(call.result) === undefined
      ? undefined
      : say(
          language,
          'I have not been told anything to remember yet.',
          '目前还没有让我记住的内容。',
        );
  }
  const asked = intents.find((intent) => intent.kind === 'recall');
  const words = (asked?.kind === 'recall' ? (asked.about ?? '') : '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length > 2);
  const near = facts.filter(({ name, fact }) =>
    words.some((word) => `${name} ${fact}`.toLowerCase().includes(word)),
  );
  const lines = (near.length > 0 ? near : facts)
    .slice(0, maxItems)
    .map(({ name, fact }) => `- **${name}**: ${fact}`);
  return `${say(language, 'This is what I remember:', '我记得这些：')}\n\n${lines.join('\n')}`;
}

function writeValue({ call, language }: Section): string | undefined {
  const value = fieldOf(call.result, 'result', 'value', 'answer') ?? textOf(call.result);
  const expression = Object.values(call.arguments).find((entry) => typeof entry === 'string');
  if (value === '' || expression === undefined) return undefined;
  return value.length > 200
    ? say(
        language,
        `The result has ${value.length} characters:\n\n${fenced(value)}`,
        `结果有 ${value.length} 个字符：\n\n${fenced(value)}`,
      )
    : `\`${expression}\` = **${value}**`;
}

function writeSources({ call, language }: Section): string | undefined {
  const sources = itemsOf(call.result).flatMap(({ title, url, snippet }) =>
    typeof url === 'string'
      ? [{ title: stringOf(title) || url, url, snippet: stringOf(snippet) }]
      : [],
  );
  if (sources.length === 0) return undefined;
  const lines = sources
    .slice(0, 10)
    .map(({ title, url, snippet }, index) => `${index + 1}. [${title}](${url}) ${snippet}`.trim());
  return `${say(language, `I found ${sources.length} sources:`, `找到 ${sources.length} 个来源：`)}\n\n${lines.join('\n')}`;
}

function writeLarge({ call, language }: Section): string {
  const text = textOf(call.result);
  const { shown, total } = firstLines(text, 3);
  return `${say(language, `The result is large (${text.length} characters, ${total} lines as I see it). It begins:`, `结果很大（我看到 ${text.length} 个字符，${total} 行）。开头是：`)}\n\n${fenced(shown)}`;
}

function pathOf(call: PastCall): string {
  const named = ['path', 'file', 'file_path', 'directory'].map((key) => call.arguments[key]);
  const value = [...named, ...Object.values(call.arguments)].find(
    (entry) => typeof entry === 'string',
  );
  return typeof value === 'string' ? value : '.';
}
