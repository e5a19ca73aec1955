/** How the provider sends: everything at once, or each delta as an HTTP chunk of its own. */
export const paces = ['hose', 'chunks'] as const;
export type Pace = (typeof paces)[number];

export const sizes = [5_000, 80_000] as const;
export type Size = (typeof sizes)[number];

/** Deltas before the measurement, so that compiling the code is not what is measured. */
export const warmUp = 40_000;

/** How many answers are measured together: a short one alone takes too little time to be told apart. */
export function repeats(count: number): number {
  return Math.ceil(40_000 / count);
}

/** The model whose answer is this load. */
export function modelName(pace: Pace, count: number): string {
  return `${pace}-${count}`;
}

/** The load that a model's name asks for. */
export function parseModelName(name: string): { pace: Pace; count: number } {
  const [pace = '', count = ''] = name.split('-');
  if (pace !== 'hose' && pace !== 'chunks') throw new Error(`No such load: ${name}`);
  return { pace, count: Number(count) };
}

/** The text of the delta with this number. */
export function deltaText(index: number): string {
  const words = [
    'The ',
    'answer ',
    'goes ',
    'on, ',
    'word ',
    'by ',
    'word',
    '.\n',
    '中文 ',
    '"x" ',
  ];
  return words[index % words.length] ?? '';
}

/** How long the text of so many deltas is. */
export function textLength(count: number): number {
  let length = 0;
  for (let index = 0; index < count; index += 1) length += deltaText(index).length;
  return length;
}

/** The load this process was started for. */
export function readLoad(): { pace: Pace; count: number } {
  const [, , pace, count] = process.argv;
  return parseModelName(`${pace}-${count}`);
}
