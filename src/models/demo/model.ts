import { truncate } from '#shared/text/text.ts';
import type { ModelAdapter, ModelInfo, ModelRequest } from '#shared/vocabulary/model.ts';
import { compose, explain } from './answer.ts';
import { runCommand } from './commands.ts';
import type { Context, PlannedCall, ScriptPart } from './context.ts';
import { newTurn, readTurns } from './history.ts';
import { planRound, resolveIntents } from './plan.ts';
import { play, spoken } from './player.ts';
import { localeOf, sayIn, toDeltas } from './say.ts';
import { guessCall, ownName } from './tools.ts';

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
    imagesOut: false,
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
      const turns = readTurns(messages, tools);
      const turn = turns.at(-1) ?? newTurn('');
      const locale = localeOf(turn.question);
      const context = { turns, turn, tools, locale, say: sayIn(locale), now: now() };
      const script = purpose === 'answer' ? answer(context) : spoken(texts[purpose](context));
      return play(script, request, { pace, round: turn.rounds, signal });
    },
  };
}

const texts: Record<Exclude<ModelRequest['purpose'], 'answer'>, (context: Context) => string> = {
  title: ({ turns }) => titleOf(turns[0]?.question ?? ''),
  /** What was asked so far, from the record of a conversation that is to be compacted. */
  compact({ turn, say }) {
    const head = say`Scripted demo model: no language model summed this up. The user asked: ‖ 脚本演示模型：没有使用语言模型总结。用户问过：`;
    const asked = [...turn.question.matchAll(/^User: (.+)$/gm)];
    return [head, '', ...asked.map(([, text = '']) => `- ${truncate(text, 200)}`)].join('\n');
  },
  /** The text itself, under a line that says in both languages that nothing was translated. */
  translate({ turn: { question } }) {
    const [, inner = question] = /^<text>\n([^]*)\n<\/text>$/.exec(question) ?? [];
    return `*The scripted demo model cannot translate; this is the text itself. 脚本演示模型不会翻译，以下是原文。*\n\n${inner}`;
  },
};

function answer(context: Context): ScriptPart[] {
  const { turn, turns, tools } = context;
  const command = runCommand(context);
  if (command) return label(command, context);
  const intents = resolveIntents(turns);
  const { calls, missing } = planRound(intents, context);
  const isUnknown = turn.rounds === 0 && intents.length === 0;
  const planned = isUnknown ? (guessCall(turn.question, tools) ?? []) : calls;
  if (planned.length > 0 && tools.length > 0) return callParts(planned, context);
  return label(spoken(compose(intents, missing, context) || explain(context)), context);
}

/** The first round thinks aloud before it calls; later ones only call. */
function callParts(calls: PlannedCall[], { turn, say, locale }: Context): ScriptPart[] {
  const parts = calls.map((call): ScriptPart => ({ type: 'call', ...call }));
  if (turn.rounds > 0) return parts;
  const own = calls.map(({ toolName }) => `\`${ownName(toolName)}\``);
  const names = new Intl.ListFormat(locale).format(own);
  const one = say`To answer this I need a tool: ${names}. I call it and then answer from its result. ‖ 回答这个问题需要工具 ${names}。先调用它，再根据结果回答。`;
  const several = say`The question has ${calls.length} parts that do not depend on each other. I call ${names} at the same time and then answer from their results. ‖ 这个问题有 ${calls.length} 个互不依赖的部分。我同时调用 ${names}，再根据结果回答。`;
  return [...spoken(calls.length > 1 ? several : one, 'thinking'), ...parts];
}

/** The first answer of a topic says what it is; deltas that were asked for by number stay exact. */
function label(parts: ScriptPart[], { turns, turn, say }: Context): ScriptPart[] {
  const last = parts.at(-1);
  const isFirst = turns.every((earlier) => earlier === turn || earlier.answer === '');
  if (!isFirst || last?.type !== 'text' || /^\s*\/write\b/.test(turn.question)) return parts;
  const words = say`\n\n*Scripted demo model: no language model was asked.* ‖ \n\n*脚本演示模型：没有使用语言模型。*`;
  return [...parts.slice(0, -1), { ...last, deltas: [...last.deltas, ...toDeltas(words)] }];
}

/** A short title from the first question: at most six words, no quotes; of a command, its words. */
function titleOf(question: string): string {
  const line = question.split('\n').find((text) => /[\p{L}\p{N}]/u.test(text)) ?? '';
  const [, command = line] = /^\s*\/(\w+(?: [\w-]+)?)/.exec(line) ?? [];
  const clean = command.replaceAll(/["“”‘「」『』`#]|(?<!\p{L})['’]|['’](?!\p{L})/gu, '').trim();
  const segments = [...new Intl.Segmenter([], { granularity: 'word' }).segment(clean)];
  const words = segments.filter(({ isWordLike }) => isWordLike).slice(0, maxTitleWords);
  const last = words.at(-1);
  const end = last ? last.index + last.segment.length : 0;
  const [closing = ''] = /^[)\]}】）]*/.exec(clean.slice(end)) ?? [];
  const title = clean.slice(0, Math.min(end + closing.length, 80)).trim();
  return title === '' ? 'New topic' : title.charAt(0).toUpperCase() + title.slice(1);
}
