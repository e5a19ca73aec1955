import { truncate } from '#shared/text/text.ts';
import type { DemoContext } from './context.ts';
import { say } from './say.ts';

const longestQuestion = 200;

/** What was asked so far, from the record of a conversation that is to be compacted. */
export function sumUp({ turn, language }: DemoContext): string {
  const lines = [...turn.question.matchAll(/^User: (.+)$/gm)].map(
    ([, question = '']) => `- ${truncate(question, longestQuestion)}`,
  );
  const head = say(
    language,
    'Scripted demo model: no language model summed this up. The user asked:',
    '脚本演示模型：没有使用语言模型总结。用户问过：',
  );
  return [head, '', ...lines].join('\n');
}
