import type { ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { runWhenIdle } from './idle-steps.ts';

/**
 * One of everything that answers are made of, in the order in which the parser tries its rules, so that
 * no piece adds much. Formulas and diagrams are left out: they would load their renderers.
 */
const sample = [
  '```ts\nlet',
  ' a = 1;\n```\n\n',
  '## \\#',
  '<br>',
  '[a](https://example.com)',
  ' **b**',
  ' *c*',
  ' `d`',
  '  \n\n---\n\n',
  '> # e\n\n',
  '- # f',
  '\n- ~~g~~ **h**\n',
  '  1. ',
  'i',
  '\n  2. j\n\n',
  '- [ ] k',
  '\n\n<p>',
  '\n\n| a | b |\n|---|--:|\n| 1 |',
  ' `2` |\n\n',
  'Words',
  ' **bold**, `code`\n\n',
  'See <https://example.com> or https://example.com/a?b=1,',
  ' [1] &amp; [^1].\n\n',
];
/** Regular expressions are compiled once more for texts with letters beyond Latin-1. */
const pieces = [
  '',
  ...sample,
  '```\n```\n\n',
  '```\n中',
  '\n```\n\n',
  ...sample,
  '中文**重点。**也在.',
];

/** Draws an answer of which so much has come. */
type Draw = (text: string, growing: boolean) => ReactElement;

/**
 * Code that runs for the first time costs several frames: it is spent before the first answer comes. A
 * sample is drawn outside of the document, piece by piece while the page is idle and not `isBusy`.
 */
export async function warmUp(draw: Draw, isBusy: () => boolean = () => false): Promise<void> {
  if (typeof requestIdleCallback === 'undefined') return;
  const root = createRoot(document.createElement('div'));
  const count = pieces.length;
  const run = (index: number) => {
    const text = pieces.slice(0, index + 1).join('');
    flushSync(() => root.render(draw(text, index < count - 1)));
  };
  try {
    await runWhenIdle({ count, run, isBusy });
  } finally {
    root.unmount();
  }
}
