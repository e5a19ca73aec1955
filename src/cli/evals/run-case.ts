import { type AnswerCheck, failureOf, textOf } from '#chat/replay/answer-checks.ts';
import type { Client } from '#client/client.ts';
import { CeriseError, type ErrorInfo, messageOf, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { Message } from '#shared/vocabulary/message.ts';
import { findAnswer, type AnswerInChat } from '../client/find-answer.ts';
import { followAnswer } from '../client/follow-answer.ts';
import { tell } from '../messages/tell.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { EvalCase, EvalFile } from './eval-file.ts';
import { askJudge } from './judge.ts';

/** One check of a case. */
export interface CheckOutcome {
  check: AnswerCheck;
  passed: boolean;
  /** Why not; of a judge, also why. */
  reason?: string;
}

/** What became of a case. */
export interface CaseOutcome {
  name: string;
  passed: boolean;
  durationMs: number;
  checks: CheckOutcome[];
  /** Why there is no answer to check. */
  error?: ErrorInfo;
}

interface Runner {
  client: Client;
  terminal: Terminal;
  yes: boolean;
  /** Aborted when somebody ends the command: the copy is removed all the same. */
  signal: AbortSignal;
}

type Settings = Pick<EvalFile, 'model' | 'prompt' | 'tools' | 'judge'>;

/**
 * Makes the answer of a case anew, in a copy of its chat that is removed afterwards, and checks it. Rejects where it is
 * ended before.
 */
export async function runCase(
  runner: Runner,
  asked: EvalCase,
  settings: Settings,
): Promise<CaseOutcome> {
  const { name } = asked;
  const began = performance.now();
  const tookMs = () => Math.round(performance.now() - began);
  try {
    const found = await findAnswer(runner.client, asked.topic, asked.answer);
    const made = await makeAnew(runner, found.answer, { ...settings, ...asked });
    const about = { made, question: questionOf(found) };
    const checks: CheckOutcome[] = [];
    for (const check of asked.checks) checks.push(await judged(runner, check, about, settings));
    return { name, passed: checks.every(({ passed }) => passed), durationMs: tookMs(), checks };
  } catch (error) {
    if (!(error instanceof CeriseError) || runner.signal.aborted) throw error;
    const info = toErrorInfo(error);
    return { name, passed: false, durationMs: tookMs(), checks: [], error: info };
  }
}

async function makeAnew(
  { client, terminal, yes, signal }: Runner,
  answer: Message,
  { model = answer.model, prompt, from, tools = 'recorded' }: Settings & Pick<EvalCase, 'from'>,
): Promise<Message> {
  const { id: topicId } = await client.messages.fork(answer.id);
  try {
    signal.throwIfAborted();
    const copy = await findAnswer(client, topicId);
    const { answerId } = await client.messages.regenerate(copy.answer.id, {
      tools,
      ...(model !== undefined && { model }),
      ...(prompt !== undefined && { systemPrompt: prompt }),
      ...(from !== undefined && { from }),
    });
    const viewer = { yes, show: () => undefined, pause: () => undefined };
    const made = await followAnswer({ client, terminal }, { topicId, answerId, signal }, viewer);
    if (made.status === 'success') return made;
    throw failed(made);
  } finally {
    await client.topics.remove(topicId);
  }
}

function failed({ status, blocks }: Message): CeriseError {
  const last = blocks.findLast((block) => block.type === 'error');
  const why = last ? messageOf(last.error) : status;
  return new CeriseError('conflict', say('cli-eval-no-answer')`The answer failed: ${why}`);
}

async function judged(
  { client, signal }: Runner,
  check: AnswerCheck,
  { made, question }: { made: Message; question: string },
  { judge = '' }: Settings,
): Promise<CheckOutcome> {
  if (!('judge' in check)) {
    const failure = failureOf(check, made);
    return { check, passed: !failure, ...(failure && { reason: tell(failure) }) };
  }
  const about = { criterion: check.judge, question, answer: textOf(made.blocks) };
  try {
    const { pass, reason } = await askJudge(client, judge, about, signal);
    return { check, passed: pass, ...(reason !== '' && { reason }) };
  } catch (error) {
    // The other checks have their results, whatever became of this one.
    if (!(error instanceof CeriseError)) throw error;
    return { check, passed: false, reason: tell(messageOf(error)) };
  }
}

function questionOf({ conversation, answer }: AnswerInChat): string {
  const question = conversation.messages.find(({ id }) => id === answer.parentId);
  return textOf(question?.blocks ?? []);
}
