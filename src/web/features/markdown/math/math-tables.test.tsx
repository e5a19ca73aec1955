import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { renderMath } from './math-elements.ts';

/** The looks of the cells of a formula, row by row. */
function cells(source: string): string[][] {
  const html = renderToStaticMarkup(renderMath(source, true));
  return [...html.matchAll(/<mtr>(.*?)<\/mtr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<mtd(?: style="([^"]*)")?>/g)].map(([, style = '']) => style),
  );
}

const first = (side: string) => `text-align:-webkit-${side};padding-left:0em;padding-right:`;

describe('formulas in rows and columns', () => {
  it.each(['aligned', 'align', 'align*', 'split'])(
    '%s meets at the sign, without a gap',
    (name) => {
      const row = [
        `${first('right')}0em`,
        'text-align:-webkit-left;padding-left:0em;padding-right:0em',
      ];
      expect(cells(String.raw`\begin{${name}} a &= b \\ &= c \end{${name}}`)).toEqual([row, row]);
    },
  );

  it('cases begin at the left, with a space before each condition', () => {
    expect(cells(String.raw`f = \begin{cases} x & x > 0 \\ 0 & y \end{cases}`)[0]).toEqual([
      `${first('left')}0.5em`,
      'text-align:-webkit-left;padding-left:0.5em;padding-right:0em',
    ]);
  });

  it('arrays have their lines', () => {
    const rows = cells(String.raw`\begin{array}{l|r} a & b \\ \hline c & d \end{array}`);
    expect(rows[0]?.[0]).toBe(
      `${first('left')}0.5em;border-right:1px solid;border-bottom:1px solid`,
    );
    expect(rows[1]?.[0]).toBe(`${first('left')}0.5em;border-right:1px solid`);
    expect(rows[1]?.[1]).toBe('text-align:-webkit-right;padding-left:0.5em;padding-right:0em');
  });

  it('keep the number of an equation', () => {
    const html = renderToStaticMarkup(renderMath(String.raw`a = b \tag{7}`, true));
    expect(html.replaceAll(/<[^>]*>/g, '')).toBe('a=b(7)');
  });

  it('of tables within tables have looks of their own', () => {
    const inner = String.raw`\begin{cases} x & y \end{cases}`;
    const html = renderToStaticMarkup(
      renderMath(String.raw`\begin{aligned} a &= ${inner} \end{aligned}`, true),
    );
    expect(html.match(/text-align:[-\w]+/g)).toEqual(
      ['right', 'left', 'left', 'left'].map((side) => `text-align:-webkit-${side}`),
    );
  });
});
