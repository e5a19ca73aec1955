import type { AnswerCheck } from '#chat/replay/answer-checks.ts';
import { messageOf } from '#shared/errors/errors.ts';
import { tell } from '../messages/tell.ts';
import type { CaseOutcome, CheckOutcome } from './run-case.ts';

/** What XML 1.0 cannot hold, not even escaped. */
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const marks: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** The outcomes as CI servers read them. */
export function toJunit(suite: string, outcomes: readonly CaseOutcome[], at: Date): string {
  const errors = outcomes.filter(({ error }) => error).length;
  const failures = outcomes.filter(({ passed, error }) => !passed && !error).length;
  const time = seconds(outcomes.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const counts = `tests="${outcomes.length}" failures="${failures}" errors="${errors}" time="${time}"`;
  const cases = outcomes.map((outcome) => toCase(suite, outcome)).join('');
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<testsuites name="cerise eval" ${counts}>\n` +
    `  <testsuite name="${escaped(suite)}" ${counts} skipped="0" timestamp="${at.toISOString().slice(0, 19)}">\n` +
    `${cases}  </testsuite>\n</testsuites>\n`
  );
}

function toCase(suite: string, { name, durationMs, checks, error }: CaseOutcome): string {
  const wrong = checks.filter(({ passed }) => !passed).map(toFailure);
  if (error)
    wrong.push(
      `      <error type="${escaped(error.code)}" message="${escaped(tell(messageOf(error)))}"/>\n`,
    );
  const head = `    <testcase classname="${escaped(suite)}" name="${escaped(name)}" time="${seconds(durationMs)}"`;
  return wrong.length === 0 ? `${head}/>\n` : `${head}>\n${wrong.join('')}    </testcase>\n`;
}

function toFailure({ check, reason = '' }: CheckOutcome): string {
  const message = escaped(reason === '' ? describeCheck(check) : reason);
  return `      <failure type="${kindOf(check)}" message="${message}">${escaped(JSON.stringify(check))}</failure>\n`;
}

/** A check on one line. */
export function describeCheck(check: AnswerCheck): string {
  const kind = kindOf(check);
  if (kind !== 'tool') return `${kind}: ${JSON.stringify(Object.values(check)[0])}`;
  const { tool, arguments: args } = check as Extract<AnswerCheck, { tool: string }>;
  return `tool: ${tool}${args ? ` ${JSON.stringify(args)}` : ''}`;
}

function kindOf(check: AnswerCheck): string {
  return Object.keys(check)[0] ?? '';
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function escaped(text: string): string {
  return text.replaceAll(forbidden, '').replaceAll(/[&<>"\n]/g, (mark) => marks[mark] ?? mark);
}
