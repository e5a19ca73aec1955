import type { Json } from '#shared/vocabulary/json.ts';

/** Text as a value: `broken` if it says none, `inexact` if a number in it has digits that would be lost. */
export type ReadJson = { value: Json } | 'broken' | 'inexact';

/** Reads JSON that a person typed; what would be sent otherwise than it stands there is not read. */
export function readExactJson(text: string): ReadJson {
  try {
    const value = JSON.parse(text) as Json;
    const numbers = [...text.matchAll(/"(?:[^"\\]|\\.)*"|(-?\d[\d.eE+-]*)/g)];
    const isExact = numbers.every(([, number]) => number === undefined || isExactNumber(number));
    return isExact ? { value } : 'inexact';
  } catch (error) {
    if (error instanceof SyntaxError) return 'broken';
    throw error;
  }
}

/** Reads one number as people write it, with a leading plus or point too. */
export function readExactNumber(text: string): ReadJson {
  if (!/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text)) return 'broken';
  return isExactNumber(text) ? { value: Number(text) } : 'inexact';
}

function isExactNumber(text: string): boolean {
  const typed = digitsOf(text);
  return typed !== undefined && typed === digitsOf(String(Number(text)));
}

/** The digits that count and where they stand: the same for every way to write a number. */
function digitsOf(text: string): string | undefined {
  const parts = /^\s*([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?\s*$/i.exec(text);
  if (!parts) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const all = (whole + fraction).replace(/^0+/, '');
  const counting = all.replace(/0+$/, '');
  if (counting === '') return '0';
  const place = Number(exponent) - fraction.length + all.length - counting.length;
  return `${sign === '-' ? '-' : ''}${counting}e${place}`;
}
