import { formatBytes } from '#shared/text/bytes.ts';
import { fencedCode } from '#shared/text/fenced-code.ts';
import type { Context, Intent, Kind, PastCall } from './context.ts';
import { dataOf, entriesOf, fieldOf, itemsOf, stringOf } from './results.ts';
import { firstLines } from './say.ts';
import { cityOf, zoneOf } from './zones.ts';

const maxItems = 50;

/** How many lines of a result are shown. */
export const maxLines = 40;

/** A call that succeeded, with the question it belongs to. */
interface Shown extends Pick<Context, 'say' | 'locale'>, Pick<PastCall, 'result'> {
  /** All text of the result. */
  text: string;
  about: string;
  intents: Intent[];
}

/** What a call was about: its file, its address, its expression. */
export function aboutOf({ arguments: args }: PastCall): string {
  const values = [args['path'], args['file'], args['file_path'], ...Object.values(args)];
  return values.find((value) => typeof value === 'string') ?? '';
}

/** Results in words; undefined where one has another form than expected, and is shown as it is. */
export const shows: Partial<Record<Kind, (shown: Shown) => string | undefined>> = {
  time({ result, text, intents, say, locale }) {
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
  },
  list({ result, about, say }) {
    const entries = entriesOf(result);
    const count = entries.length;
    const where = about === '.' || about === '' ? say`The workspace ‖ 工作区` : `\`${about}\``;
    const lines = entries.slice(0, maxItems).map(({ name, isFolder, size }) => {
      const detail = size === undefined ? '' : ` (${formatBytes(size)})`;
      return `- \`${name}${isFolder ? '/' : ''}\`${detail}`;
    });
    if (count > maxItems) lines.push(`- … (${count - maxItems})`);
    const noun = count === 1 ? 'entry' : 'entries';
    const head = say`${where} holds ${count} ${noun}: ‖ ${where}里有 ${count} 项：`;
    return count === 0 ? undefined : `${head}\n\n${lines.join('\n')}`;
  },
  read({ result, about, intents, say, ...shown }) {
    const text = fieldOf(result, 'content', 'text') ?? shown.text;
    const { shown: lines, total } = firstLines(text, maxLines);
    const ranked = intents.find(({ kind }) => kind === 'rank');
    const cut = total > maxLines ? say`; the first ${maxLines} ‖ ，前 ${maxLines} 行` : '';
    const noun = total === 1 ? 'line' : 'lines';
    const head = say`\`${about}\` has ${total} ${noun}${cut}: ‖ \`${about}\` 共 ${total} 行${cut}：`;
    const [, extension = ''] = /\.(\w+)$/.exec(about) ?? [];
    const language = { md: 'markdown', py: 'python', txt: '' }[extension] ?? extension;
    const rank = ranked ? showRank(text, ranked, say) : '';
    return text === '' ? undefined : `${rank}${head}\n\n${fencedCode(lines, language)}`;
  },
  write: ({ about, say }) => say`The file is written: \`${about}\`. ‖ 文件已写入：\`${about}\`。`,
  fetch({ text, about, say }) {
    const [, title] = /^#+\s+(.+?)\s*$/m.exec(text) ?? [];
    const { shown, total } = firstLines(text, 12);
    const name = title === undefined ? `<${about}>` : `“${title}” (<${about}>)`;
    const noun = total === 1 ? 'line' : 'lines';
    const head = say`I fetched ${name}: ${text.length} characters in ${total} ${noun}. It begins: ‖ 我抓取了 ${name}：共 ${text.length} 个字符，${total} 行。开头是：`;
    return text === '' ? undefined : `${head}\n\n> ${shown.trim().replaceAll('\n', '\n> ')}`;
  },
  remember: showFact,
  observe: showFact,
  recall({ result, intents, say }) {
    const facts = itemsOf(result).flatMap(({ name, observations }) =>
      [observations ?? []].flat().map((fact) => `- **${stringOf(name)}**: ${stringOf(fact)}`),
    );
    const none = say`I have not been told anything to remember yet. ‖ 目前还没有让我记住的内容。`;
    if (facts.length === 0) return dataOf(result) === undefined ? undefined : none;
    const about = intents.find(({ kind }) => kind === 'recall')?.about ?? '';
    const words = about.toLowerCase().match(/\S{3,}/g) ?? [];
    const near = facts.filter((fact) => words.some((word) => fact.toLowerCase().includes(word)));
    const lines = (near.length > 0 ? near : facts).slice(0, maxItems);
    return `${say`This is what I remember: ‖ 我记得这些：`}\n\n${lines.join('\n')}`;
  },
  calculate({ result, text, about, say }) {
    const value = fieldOf(result, 'result', 'value', 'answer') ?? text;
    if (value === '' || about === '') return undefined;
    if (value.length <= 200) return `\`${about}\` = **${value}**`;
    const head = say`The result has ${value.length} characters: ‖ 结果有 ${value.length} 个字符：`;
    return `${head}\n\n${fencedCode(value)}`;
  },
  search: showSources,
  cite: showSources,
  image: ({ text, say }) => say`Here is the image. ${text} ‖ 这是图片。${text}`,
  sound: ({ text, say }) => say`Here is the sound. ${text} ‖ 这是声音。${text}`,
  large({ text, say }) {
    const { shown, total } = firstLines(text, 3);
    const head = say`The result is large (${text.length} characters, ${total} lines as I see it). It begins: ‖ 结果很大（我看到 ${text.length} 个字符，${total} 行）。开头是：`;
    return `${head}\n\n${fencedCode(shown)}`;
  },
};

/** Nothing was created where all was known already: then the next call says it. */
function showFact({ result, intents, say }: Shown): string | undefined {
  if (dataOf(result) !== undefined && itemsOf(result).length === 0) return '';
  const { fact } = intents.find(({ kind }) => kind === 'remember') ?? {};
  return fact && say`I will remember: **${fact}** ‖ 我记住了：**${fact}**`;
}

function showSources({ result, say }: Shown): string | undefined {
  const sources = itemsOf(result).filter(({ url }) => typeof url === 'string');
  const lines = sources.slice(0, 10).map(({ title, url, snippet }, index) => {
    const link = `[${stringOf(title) || stringOf(url)}](${stringOf(url)})`;
    return `${index + 1}. ${link} ${stringOf(snippet)}`.trim();
  });
  const head = say`I found ${sources.length} sources: ‖ 找到 ${sources.length} 个来源：`;
  return sources.length === 0 ? undefined : `${head}\n\n${lines.join('\n')}`;
}

/** Which row of a table has the most or least; nothing when it cannot be told. */
function showRank(table: string, { column = '', most }: Intent, say: Context['say']): string {
  const wanted = column.toLowerCase().split(/\s+/);
  const [header = [], ...rows] = table.split('\n').map((line) => line.split(','));
  const words = (name: string) => name.toLowerCase().split(/[^\p{L}]+/u);
  const at = header.findIndex((name) => words(name).some((word) => wanted.includes(word)));
  const [first] = rows
    .map((cells) => ({ name: cells[0] ?? '', value: Number(cells[at]) }))
    .filter(({ value }) => Number.isFinite(value))
    .toSorted((a, b) => (most ? b.value - a.value : a.value - b.value));
  if (!first) return '';
  const by = `\`${header[at]}\``;
  const word = most ? say`most ‖ 最多` : say`least ‖ 最少`;
  return say`By ${by}, **${first.name}** comes first (${word}): **${first.value}**.\n\n ‖ 按 ${by}，${word}的是 **${first.name}**：**${first.value}**。\n\n`;
}
