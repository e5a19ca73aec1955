import { formatBytes } from '#shared/text/bytes.ts';
import { fencedCode } from '#shared/text/fenced-code.ts';
import type { Context, Ending, PastCall, Script } from './context.ts';
import { drawTree } from './drawing.ts';
import { findIntents } from './intents.ts';
import { spoken } from './player.ts';
import { dataOf, entriesOf, itemsOf, textOf } from './results.ts';
import { aboutOf, tell } from './show.ts';
import { type Intent, type Kind, kinds, skills } from './skills.ts';
import { kindOf, ownName } from './tools.ts';

const maxSizes = 8;
/** How many questions back one may refer to. */
const maxTurns = 20;

const there = /\bthere\b|那里|那边/i;

/** The intents of the last question, made whole from those before: “and in Paris?”, “the time there?”. */
export function resolveIntents(turns: Context['turns']): Intent[] {
  const last = turns.at(-1)?.question ?? '';
  const isWhole = !there.test(last) && findIntents(last).every(({ kind }) => kind !== 'again');
  let intents: Intent[] = [];
  let place: string | undefined;
  for (const { question } of turns.slice(isWhole ? -1 : -maxTurns)) {
    const before = intents;
    intents = findIntents(question).flatMap((intent) => {
      if (intent.kind === 'again') return askAgain(before, intent.subject ?? '');
      const isThere = intent.kind === 'time' && place && there.test(question);
      return [isThere ? { ...intent, place } : intent];
    });
    place = intents.find((intent) => intent.place)?.place ?? place;
  }
  return [...new Map(intents.map((intent) => [JSON.stringify(intent), intent])).values()];
}

/** What was asked before, about something else. Only a file can stand in the place of a file. */
function askAgain(before: Intent[], subject: string): Intent[] {
  const path = subject.replace(/\s+(?:folder|directory)$|(?:目录|文件夹)$/i, '');
  const isFile = /\.\w{1,8}$/.test(subject);
  const again = before.flatMap(({ kind }): Intent[] => {
    if (kind === 'time') return [{ kind, place: subject }];
    if (kind === 'search') return [{ kind, query: subject }];
    if (kind === 'recall') return [{ kind, about: subject }];
    if (kind === 'list') return [{ kind, path }];
    return isFile && (kind === 'read' || kind === 'pick') ? [{ kind: 'read', path }] : [];
  });
  return again.slice(0, 1);
}

/** What is done for an intent: as a rule one call, and its result in words. */
export function scriptFor(intent: Intent, context: Context): Script | Ending {
  return scripts[intent.kind]?.(intent, context) ?? callOnce(intent, context);
}

function* callOnce(intent: Intent, context: Context): Script {
  const [call] = yield { wants: [intent] };
  return tell(call, intent, context);
}

/** A tool for a question that nothing is known of, else what could be asked. */
export function* guess(context: Context): Script {
  const [call] = yield { wants: [{ guess: context.turn.question }] };
  return call ? tell(call, { kind: 'help' }, context) : explain(context);
}

const hasFailed = (call: PastCall | undefined) => !call?.result || call.result.isError === true;

/** What takes more than one call, or none. */
const scripts: Partial<Record<Kind, (intent: Intent, context: Context) => Script | Ending>> = {
  help: (_, context) => explain(context),
  history(_, { turns, say }) {
    const asked = turns.slice(0, -1).map(({ question }) => question.trim().split('\n')[0]);
    const lines = asked.filter(Boolean).map((question, index) => `${index + 1}. ${question}`);
    return lines.length > 0
      ? `${say`You asked: ‖ 你问过：`}\n\n${lines.join('\n')}`
      : say`This is your first question in this chat. ‖ 这是本次对话的第一个问题。`;
  },
  code(_, { say }) {
    const intro = say`Here is a small TypeScript function: ‖ 这是一个小小的 TypeScript 函数：`;
    return `${intro}\n\n${fencedCode(example, 'ts')}`;
  },
  poem: (_, { say }) => say(poem),
  draw: (_, { say }) => [
    { type: 'image', mimeType: 'image/png', data: drawTree().toString('base64') },
    ...spoken(say`I drew a cherry tree, pixel by pixel. ‖ 我一个像素一个像素地画了一棵樱桃树。`),
  ],
  *rank(intent, context) {
    const [call] = yield { wants: [{ ...intent, kind: 'read' }] };
    return tell(call, intent, context);
  },
  *pick(intent, context) {
    const files = yield* findFiles(context);
    if (typeof files === 'string') return files;
    const path = files.at(intent.position ?? 0)?.path;
    if (path === undefined)
      return context.say`I haven’t listed a file like that yet. Ask me to list the files first. ‖ 还没有列出过这样的文件，请先让我列出文件。`;
    const [call] = yield { wants: [{ kind: 'read', path }] };
    return tell(call, intent, context);
  },
  /** Sizes come with the listing, or else from asking about each file. */
  *size({ smallest }, context) {
    const { say } = context;
    const files = yield* findFiles(context);
    if (typeof files === 'string') return files;
    const unknown = files.filter(({ size }) => size === undefined).slice(0, maxSizes);
    const told = yield { wants: unknown.map(({ path }) => ({ kind: 'info', path })) };
    for (const [index, file] of unknown.entries())
      file.size = Number(/\bsize\s*[:=]\s*(\d+)/i.exec(textOf(told[index]?.result))?.[1]);
    const known = files.filter(({ size }) => Number.isFinite(size));
    const order = ({ size: a = 0 }: FileInfo, { size: b = 0 }: FileInfo) => a - b;
    const first = known.toSorted(order).at(smallest ? 0 : -1);
    if (!first) return say`I don’t know the sizes of these files. ‖ 我不知道这些文件的大小。`;
    const word = smallest ? say`smallest ‖ 最小` : say`largest ‖ 最大`;
    const size = formatBytes(first.size ?? 0);
    return say`Of the ${known.length} files, \`${first.path}\` is the ${word}: ${size}. ‖ ${known.length} 个文件中${word}的是 \`${first.path}\`：${size}。`;
  },
  /** The file is read before, so that the line is written like those in it. */
  *append(intent, context) {
    const { path, line } = intent;
    const [read] = yield { wants: [{ kind: 'read', path }] };
    if (hasFailed(read)) return tell(read, intent, context);
    const lines = textOf(read?.result).split('\n').filter(Boolean);
    const [mark = ''] = /^\s*[-*]\s+(?:\[ \]\s+)?/.exec(lines.at(-1) ?? '') ?? [];
    const text = [...lines, `${mark}${line}`, ''].join('\n');
    const [written] = yield { wants: [{ kind: 'write', path, text }] };
    return tell(written, intent, context);
  },
  /** Where the entity was known already nothing was created, so the fact is added to it. */
  *remember(intent, context) {
    const [made] = yield { wants: [intent] };
    const isKnown = dataOf(made?.result) !== undefined && itemsOf(made?.result).length === 0;
    if (!isKnown || hasFailed(made)) return tell(made, intent, context);
    const [added] = yield { wants: [{ ...intent, kind: 'observe' }] };
    return tell(added, intent, context);
  },
};

type Calls = readonly (PastCall | undefined)[];

/** The files that were listed last, if need be now; else why there are none. */
function* findFiles(context: Context): Generator<{ wants: Intent[] }, FileInfo[] | string, Calls> {
  const earlier = context.turns.slice(0, -1).flatMap(({ rounds }) => rounds.flat());
  const known = filesOf(earlier);
  if (known) return known;
  const [listing] = yield { wants: [{ kind: 'list', path: '.' }] };
  return filesOf([listing]) ?? tell(listing, { kind: 'list' }, context);
}

interface FileInfo {
  path: string;
  size?: number | undefined;
}

/** The files of the last listing. */
function filesOf(calls: Calls): FileInfo[] | undefined {
  const listing = calls.findLast(
    (call) => call?.kind === 'list' && entriesOf(call.result).length > 0,
  );
  if (!listing) return undefined;
  const folder = aboutOf(listing).replace(/\/$/, '');
  const isWhole = (name: string) =>
    /^\.?$/.test(folder) || name.startsWith('/') || name.startsWith(`${folder}/`);
  const files = entriesOf(listing.result).filter(({ isFolder }) => !isFolder);
  return files.map(({ name, size }) => ({
    path: isWhole(name) ? name : `${folder}/${name}`,
    size,
  }));
}

const example = `/** How often each word occurs, the most frequent first. */
export function countWords(text: string): [word: string, count: number][] {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/\\p{L}+/gu) ?? [])
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}
`;
const poem = `Two cherries on a single stem,\\
a blackbird keeps an eye on them.\\
By noon there is one cherry more\\
or less than there had been before. ‖ 一柄双樱红欲滴，\\
枝头乌鸫暗相觊。\\
午后重来树下数，\\
不知多了还是少了一粒。`;

/** What the demo model can do with the tools it was given: the answer to whatever else is asked. */
function explain({ tools, offered, say }: Context): string {
  const usable = new Set(tools.map(kindOf));
  const isThere = (kind: Kind) =>
    !skills[kind].tools || usable.has(kind) || offered.has('search_tools');
  const examples = kinds.flatMap((kind) => (isThere(kind) ? (skills[kind].example ?? []) : []));
  const names = tools.slice(0, 12).map(({ name }) => `\`${ownName(name)}\``);
  const rest = tools.length - names.length;
  const more = rest > 0 ? say` and ${rest} more ‖  等另外 ${rest} 个` : '';
  const commands = say`\`/tour\` shows everything; \`/call TOOL {json}\` calls any tool. ‖ \`/tour\` 展示全部功能；\`/call 工具 {json}\` 调用任意工具。`;
  const none = say`I don’t have any tools for this question. Enable some servers, or choose a real model in Settings. ‖ 这个问题没有提供任何工具。请启用一些服务器，或在设置中选择真正的模型。`;
  const sections = [
    say`I’m the **scripted demo model**: I follow a script and understand only a few kinds of questions. ‖ 我是**脚本演示模型**：按脚本回答，只懂少数几类问题。`,
    offered.size === 0 && none,
    say`Try one of these: ‖ 可以试试：`,
    [...examples.map((text) => say(text)), ...(offered.size > 0 ? [commands] : [])]
      .map((line) => `- ${line}`)
      .join('\n'),
    tools.length > 0 &&
      say`Available tools: ${names.join(', ')}${more}. ‖ 可用工具：${names.join('、')}${more}。`,
  ];
  return sections.filter(Boolean).join('\n\n');
}
