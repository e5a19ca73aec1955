import type { DemoContext, Language } from './context.ts';
import { latestListing } from './follow-ups.ts';
import type { PastCall } from './history.ts';
import type { Intent } from './intent.ts';
import { dataOf, textOf } from './results.ts';
import { writers } from './sections.ts';
import { fenced, firstLines, formatSize, say } from './say.ts';
import { kindOf, ownName, type TaskKind } from './tool-match.ts';

const maxLines = 40;

/** What came of the calls of a turn, as markdown, in the order of the calls. */
export function composeResults(intents: Intent[], context: DemoContext): string {
  const sections = context.turn.calls.map((call) => {
    const kind = kindOf(call.toolName, context.tools);
    return isStep(kind, intents, context) && !failed(call)
      ? ''
      : composeCall(call, intents, context);
  });
  return sections.filter(Boolean).join('\n\n');
}

/** Whether a call was only on the way to what was asked, so that its result is not shown. */
function isStep(
  kind: TaskKind | undefined,
  intents: Intent[],
  { turn, tools }: DemoContext,
): boolean {
  const measured = intents.some((intent) => intent.kind === 'size');
  if (measured) return kind === 'info' || kind === 'list';
  const appended = intents.some((intent) => intent.kind === 'append');
  return (
    appended &&
    kind === 'read' &&
    turn.calls.some((call) => kindOf(call.toolName, tools) === 'write')
  );
}

/** One call and its result, or honestly why there is none. */
export function composeCall(call: PastCall, intents: Intent[], context: DemoContext): string {
  if (failed(call)) return composeFailure(call, context.language);
  const kind = kindOf(call.toolName, context.tools);
  const writer = kind && writers[kind];
  return (
    writer?.({ call, intents, language: context.language }) ?? composeAny(call, context.language)
  );
}

function failed({ result }: PastCall): boolean {
  return result === undefined || result.isError === true;
}

function composeFailure({ toolName, result }: PastCall, language: Language): string {
  const name = `\`${ownName(toolName)}\``;
  const why = firstLines(textOf(result), 6).shown;
  if (result === undefined) {
    return say(language, `There is no result of ${name}.`, `${name} 没有返回结果。`);
  }
  if (/\b(?:denied|declined|not allowed|rejected by|did not allow)\b|拒绝/i.test(why)) {
    return say(
      language,
      `You did not allow ${name}, so I left it out. (${why})`,
      `你没有允许 ${name}，所以我没有执行。（${why}）`,
    );
  }
  const quoted = why === '' ? '' : `\n\n> ${why.replaceAll('\n', '\n> ')}`;
  return say(language, `${name} failed:${quoted}`, `${name} 失败了：${quoted}`);
}

/** Any other tool: its data or text as it is. */
function composeAny({ toolName, result }: PastCall, language: Language): string {
  const name = `\`${ownName(toolName)}\``;
  const data = dataOf(result);
  const text = textOf(result);
  const media = (result?.content ?? []).filter(
    (part) => part.type === 'image' || part.type === 'audio',
  ).length;
  if (text !== '' && !text.includes('\n') && text.length < 300 && !/^[[{]/.test(text)) {
    return say(language, `${name} answered: ${text}`, `${name} 的回答：${text}`);
  }
  const { shown, total } = firstLines(
    text === '' && data !== undefined ? JSON.stringify(data, null, 2) : text,
    maxLines,
  );
  if (shown === '') {
    return media > 0
      ? say(
          language,
          `${name} returned ${media} picture(s) or sound(s).`,
          `${name} 返回了 ${media} 个图片或声音。`,
        )
      : say(language, `${name} is done; it returned no text.`, `${name} 已完成，没有返回文本。`);
  }
  const more =
    total > maxLines
      ? say(
          language,
          ` (first ${maxLines} of ${total} lines)`,
          `（共 ${total} 行，前 ${maxLines} 行）`,
        )
      : '';
  return `${say(language, `${name} answered${more}:`, `${name} 的回答${more}：`)}\n\n${fenced(shown, /^[[{]/.test(shown) ? 'json' : '')}`;
}

/** Which listed file is the largest or the smallest. */
export function composeSize(smallest: boolean, context: DemoContext): string {
  const { language } = context;
  const files = (latestListing(context)?.files ?? []).flatMap(({ path, size }) =>
    size === undefined ? [] : [{ path, size }],
  );
  const [first] = files.toSorted((a, b) => (smallest ? a.size - b.size : b.size - a.size));
  if (!first) {
    return say(language, 'I do not know the sizes of these files.', '我不知道这些文件的大小。');
  }
  const word = smallest ? say(language, 'smallest', '最小') : say(language, 'largest', '最大');
  return say(
    language,
    `Of the ${files.length} files, \`${first.path}\` is the ${word}: ${formatSize(first.size)}.`,
    `${files.length} 个文件中${word}的是 \`${first.path}\`：${formatSize(first.size)}。`,
  );
}
