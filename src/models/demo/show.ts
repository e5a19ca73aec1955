import { formatBytes } from '#shared/text/bytes.ts';
import { fencedCode } from '#shared/text/fenced-code.ts';
import type { Context, PastCall } from './context.ts';
import { dataOf, entriesOf, fieldOf, itemsOf, stringOf, textOf } from './results.ts';
import { firstLines } from './say.ts';
import { type Details, type Intent, type Kind, skills } from './skills.ts';
import { ownName } from './tools.ts';
import { cityOf, zoneOf } from './zones.ts';

const maxItems = 50;
const maxLines = 40;

/** A call that succeeded, with what was asked. */
interface ShowInput extends Pick<Context, 'say' | 'locale'>, Pick<PastCall, 'result'> {
  /** All text of the result. */
  text: string;
  about: string;
  asked: Details;
}

/** What a call was about: its file, its address, its expression. */
export function aboutOf({ arguments: args }: PastCall): string {
  const values = [args['path'], args['file'], args['file_path'], ...Object.values(args)];
  return values.find((value) => typeof value === 'string') ?? '';
}

/** One call and its result, or honestly why there is none. */
export function tell(call: PastCall | undefined, asked: Intent, context: Context): string {
  if (!call) return tellMissing(asked.kind, context);
  const { say, locale } = context;
  const { result, kind } = call;
  const text = textOf(result);
  const name = `\`${ownName(call.toolName)}\``;
  if (!result) return say`${name} returned no result. ‖ ${name} 没有返回结果。`;
  if (result.isError) return tellFailure(name, firstLines(text, 6).shown, context);
  const shown = { result, text, about: aboutOf(call), asked, say, locale };
  return (kind && shows[kind]?.(shown)?.trim()) || showAny(name, shown);
}

/** What could not be done because no tool fits. */
function tellMissing(kind: Kind, { say, now }: Context): string {
  const wish = say(skills[kind].wish ?? 'that ‖ 处理它');
  const utc = now.toISOString().slice(0, 16).replace('T', ' ');
  const clock = say` (This machine’s own clock says ${utc} UTC.) ‖ （本机时钟：${utc} UTC。）`;
  return (
    say`I don’t have a tool for ${wish}. Enable a server that offers one. ‖ 我没有可以${wish}的工具，请启用相应的服务器。` +
    (kind === 'time' ? clock : '')
  );
}

function tellFailure(name: string, why: string, { say }: Context): string {
  if (/\b(?:denied|declined|rejected by|did not allow)\b|(?:\bnot|n't) allowed\b|拒绝/i.test(why))
    return say`You didn’t approve ${name}, so I skipped it. (${why}) ‖ 你没有允许 ${name}，所以我没有执行。（${why}）`;
  const quoted = why && `\n\n> ${why.replaceAll('\n', '\n> ')}`;
  return say`${name} failed:${quoted} ‖ ${name} 失败了：${quoted}`;
}

/** Any other tool: its data or text as it is. */
function showAny(name: string, { text, result, say }: ShowInput): string {
  if (text !== '' && !/^[[{]|\n/.test(text) && text.length < 300)
    return say`${name} returned: ${text} ‖ ${name} 的结果：${text}`;
  const data = result?.structuredContent;
  const whole = text === '' && data !== undefined ? JSON.stringify(data, null, 2) : text;
  const { shown, total } = firstLines(whole, maxLines);
  const media = result?.content.filter(({ type }) => type === 'image' || type === 'audio').length;
  if (shown === '')
    return media
      ? say`${name} returned images or sounds (${media}). ‖ ${name} 返回了图片或声音（${media} 个）。`
      : say`${name} is done; it returned no text. ‖ ${name} 已完成，没有返回文本。`;
  const cut = say` (first ${maxLines} of ${total} lines) ‖ （共 ${total} 行，前 ${maxLines} 行）`;
  const head = say`${name} returned ‖ ${name} 的结果` + (total > maxLines ? cut : '') + say`: ‖ ：`;
  return `${head}\n\n${fencedCode(shown, /^[[{]/.test(shown) ? 'json' : '').trimEnd()}`;
}

/** Results in words; undefined where one has another form than expected, and is shown as it is. */
const shows: Partial<Record<Kind, (shown: ShowInput) => string | undefined>> = {
  time({ result, text, asked, say, locale }) {
    const zone = fieldOf(result, 'timezone time_zone zone') ?? '';
    const moment = fieldOf(result, 'datetime time iso local_time') ?? text;
    const [, day, time] = /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/.exec(moment) ?? [];
    if (day === undefined || time === undefined) return undefined;
    const place = asked.place && zoneOf(asked.place) === zone ? asked.place : cityOf(zone);
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
    const head = say`${where} contains ${count} ${noun}: ‖ ${where}里有 ${count} 项：`;
    return count === 0 ? undefined : `${head}\n\n${lines.join('\n')}`;
  },
  read({ result, about, asked, say, ...shown }) {
    const text = fieldOf(result, 'content text') ?? shown.text;
    const { shown: lines, total } = firstLines(text, maxLines);
    const cut = total > maxLines ? say`; the first ${maxLines} ‖ ，前 ${maxLines} 行` : '';
    const noun = total === 1 ? 'line' : 'lines';
    const head = say`\`${about}\` has ${total} ${noun}${cut}: ‖ \`${about}\` 共 ${total} 行${cut}：`;
    const [, extension = ''] = /\.(\w+)$/.exec(about) ?? [];
    const language = { md: 'markdown', py: 'python', txt: '' }[extension] ?? extension;
    const rank = asked.column ? showRank(text, asked, say) : '';
    return text === '' ? undefined : `${rank}${head}\n\n${fencedCode(lines, language)}`;
  },
  write: ({ about, say }) => say`I wrote the file \`${about}\`. ‖ 文件已写入：\`${about}\`。`,
  fetch({ text, about, say }) {
    const [, title] = /^#+ +(\S.*)$/m.exec(text) ?? [];
    const { shown, total } = firstLines(text, 12);
    const name = title === undefined ? `<${about}>` : `“${title.trim()}” (<${about}>)`;
    const noun = total === 1 ? 'line' : 'lines';
    const head = say`I fetched ${name}: ${text.length} characters in ${total} ${noun}. It starts with: ‖ 我抓取了 ${name}：共 ${text.length} 个字符，${total} 行。开头是：`;
    return text === '' ? undefined : `${head}\n\n> ${shown.trim().replaceAll('\n', '\n> ')}`;
  },
  remember: showFact,
  observe: showFact,
  recall({ result, asked, say }) {
    const facts = itemsOf(result).flatMap(({ name, observations }) =>
      [observations ?? []].flat().map((fact) => `- **${stringOf(name)}**: ${stringOf(fact)}`),
    );
    const none = say`You haven’t asked me to remember anything yet. ‖ 目前还没有让我记住的内容。`;
    if (facts.length === 0) return dataOf(result) === undefined ? undefined : none;
    const words = asked.about?.toLowerCase().match(/\S{3,}/g) ?? [];
    const near = facts.filter((fact) => words.some((word) => fact.toLowerCase().includes(word)));
    const lines = (near.length > 0 ? near : facts).slice(0, maxItems);
    return `${say`Here is what I remember: ‖ 我记得这些：`}\n\n${lines.join('\n')}`;
  },
  calculate({ result, text, about, say }) {
    const value = fieldOf(result, 'result value answer') ?? text;
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
    const head = say`The result is large: I see ${text.length} characters in ${total} lines. It starts with: ‖ 结果很大（我看到 ${text.length} 个字符，${total} 行）。开头是：`;
    return `${head}\n\n${fencedCode(shown)}`;
  },
};

function showFact({ asked: { fact }, say }: ShowInput): string | undefined {
  return fact && say`I’ll remember: **${fact}** ‖ 我记住了：**${fact}**`;
}

function showSources({ result, say }: ShowInput): string | undefined {
  const sources = itemsOf(result).filter(({ url }) => typeof url === 'string');
  const lines = sources.slice(0, 10).map(({ title, url, snippet }, index) => {
    const link = `[${stringOf(title) || stringOf(url)}](${stringOf(url)})`;
    return `${index + 1}. ${link} ${stringOf(snippet)}`.trim();
  });
  const head = say`I found ${sources.length} sources: ‖ 找到 ${sources.length} 个来源：`;
  return sources.length === 0 ? undefined : `${head}\n\n${lines.join('\n')}`;
}

/** Which row of a table has the most or least; nothing when it cannot be told. */
function showRank(table: string, { column = '', most }: Details, say: Context['say']): string {
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
