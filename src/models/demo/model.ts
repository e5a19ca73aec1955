import type { ModelAdapter, ModelInfo, ModelRequest } from '#shared/vocabulary/model.ts';
import { runCommand } from './commands.ts';
import { composeResults, composeSize } from './compose.ts';
import {
  languageOf,
  spoken,
  toDeltas,
  type DemoContext,
  type PlannedCall,
  type ScriptPart,
} from './context.ts';
import { explain, explainMissing } from './explain.ts';
import { resolveIntents } from './follow-ups.ts';
import { planUnknownTool } from './generic.ts';
import { readTurns } from './history.ts';
import type { Intent } from './intent.ts';
import { planRound } from './plan.ts';
import { play } from './player.ts';
import { composeRank } from './rank.ts';
import { enumerate, say } from './say.ts';
import { sumUp } from './sum-up.ts';
import { titleFor } from './title.ts';
import { ownName } from './tool-match.ts';
import { pretendToTranslate } from './translate.ts';

const defaultPace = 12;

/** How the pickers show the demo model. */
export const demoModelInfo: ModelInfo = {
  id: 'demo/scripted',
  name: 'Demo (scripted)',
  provider: 'demo',
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
  const { pace = defaultPace, now = () => new Date() } = options;
  return {
    capabilities: demoModelInfo.capabilities,
    stream(request, signal) {
      const turns = readTurns(request.messages);
      const turn = turns.at(-1) ?? { question: '', calls: [], rounds: 0, answer: '' };
      const language = languageOf(turn.question);
      const context = { turns, turn, tools: request.tools, language, now: now() };
      return play(decide(request, context), request, { pace, round: turn.rounds, signal });
    },
  };
}

function decide(request: ModelRequest, context: DemoContext): ScriptPart[] {
  if (request.purpose === 'compact') return [spoken('text', sumUp(context))];
  if (request.purpose === 'translate')
    return [spoken('text', pretendToTranslate(request.messages))];
  if (request.purpose === 'title') return [spoken('text', titleFor(request.messages))];
  const command = runCommand(context);
  if (command)
    return command.some(({ type }) => type === 'call') ? command : labelled(command, context);
  const intents = resolveIntents(context);
  const { calls, missing } = planRound(intents, context);
  if (calls.length > 0 && context.tools.length > 0) return callParts(calls, context);
  if (context.turn.rounds > 0)
    return labelled([spoken('text', answer(intents, missing, context))], context);
  const unknown = intents.length === 0 ? planUnknownTool(context) : undefined;
  if (unknown) return callParts([unknown], context);
  return labelled([spoken('text', answer(intents, missing, context))], context);
}

/** The first round thinks aloud before it calls; later ones only call. */
function callParts(calls: PlannedCall[], { turn, language }: DemoContext): ScriptPart[] {
  const parts: ScriptPart[] = calls.map((call) => ({ type: 'call', ...call }));
  if (turn.rounds > 0) return parts;
  const names = enumerate(
    language,
    calls.map(({ toolName }) => `\`${ownName(toolName)}\``),
  );
  const together = calls.length > 1;
  const thought = say(
    language,
    together
      ? `The question has ${calls.length} parts that do not depend on each other. I call ${names} at the same time and then answer from their results.`
      : `To answer this I need a tool: ${names}. I call it and then answer from its result.`,
    together
      ? `这个问题有 ${calls.length} 个互不依赖的部分。我同时调用 ${names}，再根据结果回答。`
      : `回答这个问题需要工具 ${names}。先调用它，再根据结果回答。`,
  );
  return [spoken('thinking', thought), ...parts];
}

function answer(intents: Intent[], missing: Intent[], context: DemoContext): string {
  const sections = [composeResults(intents, context)];
  for (const intent of intents) {
    if (intent.kind === 'size') sections.push(composeSize(intent.smallest, context));
    if (intent.kind === 'rank') sections.unshift(composeRank(intent, context));
    if (intent.kind === 'history') sections.push(recallQuestions(context));
    if (intent.kind === 'help') sections.push(explain(context));
    if (intent.kind === 'pick') sections.push(noSuchFile(context));
  }
  if (context.turn.rounds === 0) sections.push(explainMissing(missing, context));
  const text = sections.filter(Boolean).join('\n\n');
  return text === '' ? explain(context) : text;
}

/** Said only when there was nothing to pick from: otherwise the file's text is the answer. */
function noSuchFile({ turn, language }: DemoContext): string {
  if (turn.calls.length > 0) return '';
  return say(
    language,
    'I have shown no such file yet; ask me to list the files first.',
    '还没有列出过这样的文件，请先让我列出文件。',
  );
}

function recallQuestions({ turns, language }: DemoContext): string {
  const questions = turns
    .slice(0, -1)
    .map(({ question }) => question.trim().split('\n')[0] ?? '')
    .filter(Boolean);
  if (questions.length === 0) {
    return say(
      language,
      'This is your first question in this topic.',
      '这是你在这个话题里的第一个问题。',
    );
  }
  const lines = questions.map((question, index) => `${index + 1}. ${question}`);
  return `${say(language, 'You asked:', '你问过：')}\n\n${lines.join('\n')}`;
}

/** The first answer of a topic says what it is; deltas that were asked for by number stay exact. */
function labelled(parts: ScriptPart[], { turns, turn, language }: DemoContext): ScriptPart[] {
  const last = parts.at(-1);
  const first = turns.every((earlier) => earlier === turn || earlier.answer === '');
  if (!first || last?.type !== 'text' || /^\s*\/write\b/.test(turn.question)) return parts;
  const label = say(
    language,
    '\n\n*Scripted demo model: no language model was asked.*',
    '\n\n*脚本演示模型：没有使用语言模型。*',
  );
  return [...parts.slice(0, -1), { ...last, deltas: [...last.deltas, ...toDeltas(label)] }];
}
