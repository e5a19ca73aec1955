import { renderBlocks } from './render-blocks.tsx';
import { lexWhole } from './lexer.ts';

const sample = [
  '# A *title*',
  'Text with **marks**, `code`, [a link](https://example.com), <https://example.com> and $x^2$.  ',
  '- one\n- two\n  1. three',
  '| a | b |\n|---|--:|\n| 1 | 2 |',
  '```ts\nlet a = 1;\n```',
  '> quoted[^1]',
].join('\n\n');

/** The first use of the parser costs several frames: it is spent before the first answer comes. */
export function warmUp(): void {
  if (typeof requestIdleCallback === 'undefined') return;
  requestIdleCallback(() => renderBlocks(lexWhole(sample, {})), { timeout: 2000 });
}
