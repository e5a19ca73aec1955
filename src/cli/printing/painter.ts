import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

/** How a piece of text looks. */
export type Look =
  | 'bold'
  | 'italic'
  | 'strike'
  | 'code'
  | 'link'
  | 'dim'
  | 'heading'
  | 'error'
  | 'success';

type Format = Parameters<typeof styleText>[0];
const formats: Record<Look, Format> = {
  bold: 'bold',
  italic: 'italic',
  strike: 'strikethrough',
  code: 'cyan',
  link: 'underline',
  dim: 'dim',
  heading: ['bold', 'magenta'],
  error: 'red',
  success: 'green',
};

/** Paints a text for one output. */
export type Painter = (text: string, looks: readonly Look[]) => string;

/** Paints where the output is a terminal with colors; `NO_COLOR` and pipes get plain text. */
export function painterFor(stream: Writable): Painter {
  return (text, looks) => {
    const format = looks.flatMap((look) => formats[look]) as Format;
    return looks.length === 0 || text === '' ? text : styleText(format, text, { stream });
  };
}
