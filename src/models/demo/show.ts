import { formatBytes } from '#shared/text/bytes.ts';
import { fencedCode } from '#shared/text/fenced-code.ts';
import type { Context, Intent, PastCall } from './context.ts';
import { dataOf, entriesOf, fieldOf, itemsOf, stringOf } from './results.ts';
import { firstLines } from './say.ts';
import { cityOf, zoneOf } from './zones.ts';

const maxItems = 50;

/** How many lines of a result are shown. */
export const maxLines = 40;

/** A call that succeeded, with the question it belongs to. */
export interface Shown extends Pick<Context, 'say' | 'locale'>, Pick<PastCall, 'result'> {
  /** All text of the result. */
  text: string;
  /** The file, the address, the expression: the argument that tells what the call was about. */
  about: string;
  intents: Intent[];
}

/** The argument that tells what a call was about. */
export function aboutOf({ arguments: args }: PastCall): string {
  const values = [args['path'], args['file'], args['file_path'], ...Object.values(args)];
  return values.find((value) => typeof value === 'string') ?? '';
}

/** A result in words; undefined where it has another form than expected, and is shown as it is. */
export type Show = (shown: Shown) => string | undefined;

export const showTime: Show = ({ result, text, intents, say, locale }) => {
  const zone = fieldOf(result, 'timezone', 'time_zone', 'zone') ?? '';
  const moment = fieldOf(result, 'datetime', 'time', 'iso', 'local_time') ?? text;
  const [, day, time] = /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/.exec(moment) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const asked = intents.find(({ place }) => place !== undefined && zoneOf(place) === zone);
  const place = asked?.place ?? cityOf(zone);
  const date = new Date(day).toLocaleDateString(locale, { dateStyle: 'full', timeZone: 'UTC' });
  if (place === '') return say`It is **${time}** on ${date}. ‖ 现在是 ${date} **${time}**。`;
  const where = zone && say` (${zone}) ‖ （${zone}）`;
  return say`In **${place}** it is **${time}** on ${date}${where}. ‖ **${place}**现在是 **${time}**，${date}${where}。`;
};

export const showListing: Show = ({ result, about, say }) => {
  const entries = entriesOf(result);
  const count = entries.length;
  if (count === 0) return undefined;
  const where = about === '.' || about === '' ? say('The workspace ‖ 工作区') : `\`${about}\``;
  const lines = entries.slice(0, maxItems).map(({ name, isFolder, size }) => {
    const detail = size === undefined ? '' : ` (${formatBytes(size)})`;
    return isFolder ? `- \`${name}/\`` : `- \`${name}\`${detail}`;
  });
  if (count > maxItems) lines.push(`- … (${count - maxItems})`);
  const noun = count === 1 ? 'entry' : 'entries';
  return (
    say`${where} holds ${count} ${noun}: ‖ ${where}里有 ${count} 项：` + `\n\n${lines.join('\n')}`
  );
};

export const showFile: Show = (shown) => {
  const { result, about, intents, say } = shown;
  const text = fieldOf(result, 'content', 'text') ?? shown.text;
  if (text === '') return undefined;
  const ranked = intents.find(({ kind }) => kind === 'rank');
  const { shown: lines, total } = firstLines(text, maxLines);
  const cut = total > maxLines ? say`; the first ${maxLines} ‖ ，前 ${maxLines} 行` : '';
  const noun = total === 1 ? 'line' : 'lines';
  const head = say`\`${about}\` has ${total} ${noun}${cut}: ‖ \`${about}\` 共 ${total} 行${cut}：`;
  const extension = /\.(\w+)$/.exec(about)?.[1] ?? '';
  const language = { md: 'markdown', py: 'python', txt: '' }[extension] ?? extension;
  const file = `${head}\n\n${fencedCode(lines, language)}`;
  return `${ranked ? showRank(text, ranked, shown) : ''}${file}`;
};

/** Which row of a table has the most or least; nothing when it cannot be told. */
function showRank(table: string, { column = '', most }: Intent, { say }: Shown): string {
  const wanted = column.toLowerCase().split(/\s+/);
  const [header = [], ...rows] = table.split('\n').map((line) => line.split(','));
  const words = (name: string) => name.toLowerCase().split(/[^\p{L}]+/u);
  const at = header.findIndex((name) => words(name).some((word) => wanted.includes(word)));
  const [first] = rows
    .map((cells) => ({ name: cells[0] ?? '', value: Number(cells[at]) }))
    .filter(({ value }) => Number.isFinite(value))
    .toSorted((a, b) => (most ? b.value - a.value : a.value - b.value));
  if (!first) return '';
  const word = most ? say('most ‖ 最多') : say('least ‖ 最少');
  return say`By \`${header[at] ?? ''}\`, **${first.name}** comes first (${word}): **${first.value}**.\n\n ‖ 按 \`${header[at] ?? ''}\`，${word}的是 **${first.name}**：**${first.value}**。\n\n`;
}

export const showPage: Show = ({ text, about, say }) => {
  if (text === '') return undefined;
  const title = /^#+\s+(.+)$/m.exec(text)?.[1]?.trim();
  const { shown, total } = firstLines(text, 12);
  const name = title === undefined ? `<${about}>` : `“${title}” (<${about}>)`;
  const noun = total === 1 ? 'line' : 'lines';
  const head = say`I fetched ${name}: ${text.length} characters in ${total} ${noun}. It begins: ‖ 我抓取了 ${name}：共 ${text.length} 个字符，${total} 行。开头是：`;
  return `${head}\n\n> ${shown.trim().replaceAll('\n', '\n> ')}`;
};

/** Nothing was created where all was known already: then the next call says it. */
export const showFact: Show = ({ result, intents, say }) => {
  if (dataOf(result) !== undefined && itemsOf(result).length === 0) return '';
  const fact = intents.find(({ kind }) => kind === 'remember')?.fact;
  return fact && say`I will remember: **${fact}** ‖ 我记住了：**${fact}**`;
};

export const showFacts: Show = ({ result, intents, say }) => {
  const facts = itemsOf(result).flatMap(({ name, observations }) =>
    (Array.isArray(observations) ? observations : []).map(
      (fact) => `- **${stringOf(name)}**: ${stringOf(fact)}`,
    ),
  );
  const none = say('I have not been told anything to remember yet. ‖ 目前还没有让我记住的内容。');
  if (facts.length === 0) return dataOf(result) === undefined ? undefined : none;
  const about = intents.find(({ kind }) => kind === 'recall')?.about ?? '';
  const words = about.toLowerCase().match(/\S{3,}/g) ?? [];
  const near = facts.filter((fact) => words.some((word) => fact.toLowerCase().includes(word)));
  const lines = (near.length > 0 ? near : facts).slice(0, maxItems);
  return `${say('This is what I remember: ‖ 我记得这些：')}\n\n${lines.join('\n')}`;
};

export const showValue: Show = ({ result, text, about, say }) => {
  const value = fieldOf(result, 'result', 'value', 'answer') ?? text;
  if (value === '' || about === '') return undefined;
  if (value.length <= 200) return `\`${about}\` = **${value}**`;
  const head = say`The result has ${value.length} characters: ‖ 结果有 ${value.length} 个字符：`;
  return `${head}\n\n${fencedCode(value)}`;
};

export const showSources: Show = ({ result, say }) => {
  const sources = itemsOf(result).filter(({ url }) => typeof url === 'string');
  if (sources.length === 0) return undefined;
  const lines = sources.slice(0, 10).map(({ title, url, snippet }, index) => {
    const link = `[${stringOf(title) || stringOf(url)}](${stringOf(url)})`;
    return `${index + 1}. ${link} ${stringOf(snippet)}`.trim();
  });
  const head = say`I found ${sources.length} sources: ‖ 找到 ${sources.length} 个来源：`;
  return `${head}\n\n${lines.join('\n')}`;
};

export const showLarge: Show = ({ text, say }) => {
  const { shown, total } = firstLines(text, 3);
  const head = say`The result is large (${text.length} characters, ${total} lines as I see it). It begins: ‖ 结果很大（我看到 ${text.length} 个字符，${total} 行）。开头是：`;
  return `${head}\n\n${fencedCode(shown)}`;
};
