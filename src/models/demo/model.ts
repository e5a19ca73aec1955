import { truncate } from '#shared/text/text.ts';
import type { ModelAdapter, ModelInfo, ModelRequest } from '#shared/vocabulary/model.ts';
import { scriptOfCommand } from './commands.ts';
import type { Context, ScriptPart } from './context.ts';
import { readHistory } from './history.ts';
import { perform } from './perform.ts';
import { play, spoken } from './player.ts';
import { localeOf, sayIn } from './say.ts';
import { guess, resolveIntents, scriptFor } from './scripts.ts';

const defaultPaceMs = 12;
const maxTitleWords = 6;

/** How the pickers show the demo model. */
export const demoModelInfo: ModelInfo = {
  id: 'demo/scripted',
  name: 'Demo (scripted)',
  provider: 'demo',
  providerName: 'Demo',
  scripted: true,
  capabilities: {
    tools: true,
    imagesIn: false,
    audioIn: false,
    filesIn: false,
    imagesOut: true,
    reasoning: true,
  },
};

/** How the demo model behaves; tests use no pace and a fixed clock. */
export interface DemoModelOptions {
  /** Milliseconds between batches; 0 is as fast as the reader reads. */
  pace?: number | undefined;
  now?: () => Date;
}

/** A scripted model that needs no network: it chooses tools and words their results by rules. */
export function createDemoModel(options: DemoModelOptions = {}): ModelAdapter {
  const { pace = defaultPaceMs, now = () => new Date() } = options;
  return {
    capabilities: demoModelInfo.capabilities,
    stream(request, signal) {
      const { messages, tools, purpose } = request;
      const history = readHistory(messages, tools);
      const locale = localeOf(questionOf(history));
      const context = { ...history, locale, say: sayIn(locale), now: now() };
      const script = purpose === 'answer' ? answer(context) : spoken(texts[purpose](context));
      return play(script, request, { pace, signal });
    },
  };
}

/** What shows the language: a command has none of its own. */
function questionOf({ turns, turn }: Pick<Context, 'turns' | 'turn'>): string {
  const isCommand = turn.question.startsWith('/');
  return isCommand ? turns.map(({ question }) => question).join('\n') : turn.question;
}

const texts: Record<Exclude<ModelRequest['purpose'], 'answer'>, (context: Context) => string> = {
  title: ({ turns }) => titleOf(turns[0]?.question ?? ''),
  /** What was asked so far, from the record of a conversation that is to be compacted. */
  compact({ turn, say }) {
    const head = say`Scripted demo model: this summary wasn’t written by a language model. The user asked: ‖ 脚本演示模型：没有使用语言模型总结。用户问过：`;
    const asked = [...turn.question.matchAll(/^User: (.+)$/gm)];
    return [head, '', ...asked.map(([, text = '']) => `- ${truncate(text, 200)}`)].join('\n');
  },
  /** The text itself, under a line that says in both languages that nothing was translated. */
  translate({ turn: { question } }) {
    const [, inner = question] = /^<text>\n([^]*)\n<\/text>$/.exec(question) ?? [];
    return `*The scripted demo model can’t translate, so this is the original text. 脚本演示模型不会翻译，以下是原文。*\n\n${inner}`;
  },
};

function answer(context: Context): ScriptPart[] {
  const command = scriptOfCommand(context);
  const intents = command === undefined ? resolveIntents(context.turns) : [];
  const scripts = intents.map((intent) => scriptFor(intent, context));
  const parts = perform(command === undefined ? scripts : [command], context);
  const known =
    command === undefined && parts.length === 0 ? perform([guess(context)], context) : parts;
  return label(known, context);
}

/** The first answer of a topic says what it is; deltas that were asked for by number stay exact. */
function label(parts: ScriptPart[], { turns, turn, say }: Context): ScriptPart[] {
  const last = parts.at(-1);
  const isFirst = turns.every((earlier) => earlier === turn || earlier.answer === '');
  if (!isFirst || last?.type !== 'text' || /^\s*\/write\b/.test(turn.question)) return parts;
  const words = say`\n\n*Scripted demo model: no language model was used.* ‖ \n\n*脚本演示模型：没有使用语言模型。*`;
  return [...parts.slice(0, -1), ...spoken(last.deltas.join('') + words)];
}

/** A short title from the first question: at most six words, no quotes; of a command, its words. */
function titleOf(question: string): string {
  const line = question.split('\n').find((text) => /[\p{L}\p{N}]/u.test(text)) ?? '';
  const [, command = line.slice(0, 400)] =
    /^\s*\/(?:\w+ (?=\p{Script=Han}))?([\p{L}\w]+(?: [\w-]+)?)/u.exec(line) ?? [];
  const clean = command.replaceAll(/["“”‘「」『』`#]|(?<!\p{L})['’]|['’](?!\p{L})/gu, '');
  const words = clean.trim().split(/\s+/).slice(0, maxTitleWords).join(' ').slice(0, 80);
  const title = words.replace(/[,;:.?!，；：。？！、]+$/u, '');
  return title === '' ? 'New chat' : title.charAt(0).toUpperCase() + title.slice(1);
}
