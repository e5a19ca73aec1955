import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { renderMath } from './math-elements.ts';

/** A formula as its letters, with `_` for each space. */
function drawn(source: string): string {
  const html = renderToStaticMarkup(renderMath(source, false));
  return html
    .replaceAll(/<mspace width="0.1667em"><\/mspace>/g, '_')
    .replaceAll(/<[^>]*>|\u2061/g, '');
}

describe('formulas that lose their spacing', () => {
  it.each([
    [String.raw`2\sin x + \cos(y)`, '2_sin_x+cos(y)'],
    [String.raw`\lim_{x\to 0} f(x)`, 'limx→0_f(x)'],
    [String.raw`\sin^2 x`, 'sin2_x'],
    [String.raw`\log\log n`, 'log_log_n'],
    [String.raw`(a)\max_i x_i`, '(a)_maxi_xi'],
    [String.raw`\operatorname{rank} A = n`, 'rank_A=n'],
    [String.raw`x + \ln y`, 'x+ln_y'],
  ])('%s has a thin space beside the names of functions', (source, shown) => {
    expect(drawn(source)).toBe(shown);
  });

  it.each([
    ['b=-3', ['prefix']],
    ['f(-x) + (+1)', ['prefix', 'none', 'prefix']],
    [String.raw`(-1, -2) \times -3`, ['prefix', 'prefix', 'prefix']],
    ['a-b', ['none']],
    ['(a)-b', ['none']],
    ['|a|-b', ['none']],
    ['n!-1', ['none']],
    // At the start of a row browsers know it.
    ['-b', ['none']],
  ])('stumble: %s has its signs close to what they belong to', (source, forms) => {
    const html = renderToStaticMarkup(renderMath(source, false));
    const signs = [...html.matchAll(/<mo(?: form="(\w+)")?[^>]*>[+−]<\/mo>/g)];
    expect(signs.map(([, form]) => form ?? 'none')).toEqual(forms);
  });

  it('keep the places of limits and exponents', () => {
    const html = renderToStaticMarkup(renderMath(String.raw`\max_{i} x`, false));
    expect(html).toContain('<msub><mrow><mi>max</mi><mo>\u2061</mo></mrow><mi>i</mi></msub>');
  });
});
