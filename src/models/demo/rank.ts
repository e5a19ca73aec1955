import type { DemoContext } from './context.ts';
import type { Intent } from './intent.ts';
import { textOf } from './results.ts';
import { say } from './say.ts';
import { kindOf } from './tool-match.ts';

/** Which row of the table that was read has the most or least; nothing when it cannot be told. */
export function composeRank(
  intent: Extract<Intent, { kind: 'rank' }>,
  context: DemoContext,
): string {
  const { turn, tools, language } = context;
  const call = turn.calls.find(({ toolName }) => kindOf(toolName, tools) === 'read');
  if (!call?.result || call.result.isError) return '';
  const [header = [], ...rows] = textOf(call.result)
    .split('\n')
    .map((line) => line.split(','));
  const column = header.findIndex((name) => isNamed(name, intent.column));
  const ranked = rows
    .map((cells) => ({ name: cells[0] ?? '', value: Number(cells[column]) }))
    .filter(({ value }) => Number.isFinite(value))
    .toSorted((a, b) => (intent.most ? b.value - a.value : a.value - b.value));
  const [first] = ranked;
  if (column < 0 || !first) return '';
  const word = intent.most ? say(language, 'most', '最多') : say(language, 'least', '最少');
  return say(
    language,
    `By \`${header[column]}\`, **${first.name}** comes first (${word}): **${first.value}**.`,
    `按 \`${header[column]}\`，${word}的是 **${first.name}**：**${first.value}**。`,
  );
}

function isNamed(header: string, column: string): boolean {
  const words = header.toLowerCase().split(/[^\p{L}]+/u);
  return column
    .toLowerCase()
    .split(/\s+/)
    .some((word) => words.includes(word));
}
