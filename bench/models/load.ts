/** The wires that the provider speaks. */
export type WireName = 'openai' | 'anthropic';

/**
 * What the provider answers with. `hose`: so many deltas at once; `paced`: so many at a steady rate,
 * the first at once;
 * `rounds`: so many calls of a tool, one a request, then an end.
 */
export interface Script {
  kind: 'hose' | 'paced' | 'rounds';
  count: number;
}

/** The deltas of a long answer. */
export const longAnswer = 20_000;
/** Deltas a second of a paced answer: what a quick model writes. */
export const paceRate = 50;
/** Paced answers at once, and the deltas of each: ten seconds. */
export const pacedAnswers = 100;
export const pacedDeltas = 500;

/** Rounds of tools that are measured, and how many answers of each: a short one takes too little time. */
export const roundCounts = [10, 50, 200] as const;
export const roundRepeats: Record<(typeof roundCounts)[number], number> = { 10: 10, 50: 2, 200: 1 };

/** The model whose answer is this script. */
export function modelName({ kind, count }: Script): string {
  return `${kind}-${count}`;
}

/** The script that a model's name asks for. */
export function parseModelName(name: string): Script {
  const [kind, count] = name.split('-');
  if (kind !== 'hose' && kind !== 'paced' && kind !== 'rounds') {
    throw new Error(`No such script: ${name}`);
  }
  return { kind, count: Number(count) };
}

const pieces = [
  'The',
  ' answer',
  ' goes',
  ' on',
  ',',
  ' word',
  ' by',
  ' word',
  ', as',
  ' models',
  ' write',
  '.',
  '\n\n',
  '**',
  '中文',
  ' "x"',
  ' is',
  ' a',
  ' token',
  ' too',
];

/** The text of the delta with this number: a token or two. */
export function deltaText(index: number): string {
  return pieces[index % pieces.length] ?? '';
}

/** Deltas that are said before each call (as many as recorded rounds have, about), and in the end. */
export const saidBefore = 40;
export const saidLast = 20;

/** How long the whole text of an answer is. */
export function textLength({ kind, count }: Script): number {
  if (kind === 'rounds') return count * lengthOf(saidBefore) + lengthOf(saidLast);
  return lengthOf(count);
}

function lengthOf(deltas: number): number {
  let length = 0;
  for (let index = 0; index < deltas; index += 1) length += deltaText(index).length;
  return length;
}

/** The tool of every round: a sum, named and described as the calculator of Cerise is. */
export const calculator = {
  name: 'mcp__calculator__calculate',
  description: 'Calculates an arithmetic expression: + - * / % ^ ! ( ), percent (15%), pi, e.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      expression: { type: 'string', minLength: 1, maxLength: 2000, description: 'For example 3+4' },
    },
    required: ['expression'],
    additionalProperties: false,
  },
};

/** What the provider asks for in a round, and what the tool says. */
export function callArguments(round: number): { expression: string } {
  return { expression: `${round}+1` };
}

export function calculate({ expression }: { expression: string }): string {
  const [left, right] = expression.split('+');
  return String(Number(left) + Number(right));
}
