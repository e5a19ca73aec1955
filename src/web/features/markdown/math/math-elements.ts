import katex, { type KatexOptions } from 'katex';
import {
  createElement,
  type CSSProperties,
  Fragment,
  type ReactElement,
  type ReactNode,
} from 'react';
import { mathLetters } from './math-letters.ts';
import { isSign, type MathTree, needsSpace } from './math-spaces.ts';
import { cellLooks } from './math-tables.ts';

const elements = new Set(
  (
    'math semantics mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover ' +
    'munderover mtable mtr mtd mstyle mpadded mphantom menclose'
  ).split(' '),
);
const rows = new Set(['', 'math', 'mrow', 'mstyle', 'mtd', 'mpadded', 'mphantom', 'msqrt']);
const attributes = new Set(
  (
    'accent accentunder columnalign columnlines columnspacing depth display displaystyle fence height ' +
    'largeop linethickness lspace mathbackground mathcolor mathsize maxsize minsize notation ' +
    'rowlines rowspacing rspace scriptlevel separator stretchy valign voffset width'
  ).split(' '),
);
/** Numbers with units, colours and key words; nothing that could name a place. */
const plainValue = /^[#\w.%+\s-]{0,100}$/;
const thinSpace = { width: '0.1667em' };
const maxChars = 4000;
const deepest = 100;
const mostElements = 5000;

const { __renderToDomTree: toTree } = katex as unknown as {
  __renderToDomTree: (source: string, options: KatexOptions) => MathTree;
};

/** A formula as MathML elements, through a list of what is allowed. Undefined: show the source. */
export function renderMath(source: string, display: boolean): ReactElement | undefined {
  if (source.length > maxChars) return undefined;
  try {
    const tree = toTree(source, {
      output: 'mathml',
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: 'ignore',
      maxExpand: 500,
      maxSize: 20,
    });
    return convert(findMath(tree), { depth: 0, left: { count: mostElements } }) as ReactElement;
  } catch (error) {
    if (!(error instanceof katex.ParseError) && !(error instanceof TooLargeError))
      console.warn('A formula is shown as its source:', error);
    return undefined;
  }
}

class TooLargeError extends Error {}

interface Place {
  depth: number;
  left: { count: number };
  variant?: string;
  /** What is around it takes any number of elements. */
  isRow?: boolean;
  /** It is the sign of what follows it. */
  isSign?: boolean;
  /** The cells of the table that is around it. */
  cells?: Map<MathTree, CSSProperties>;
}

function convert(node: MathTree | undefined, place: Place): ReactNode {
  if (!node) throw new TooLargeError('There is no formula.');
  place.left.count -= 1;
  if (place.depth > deepest || place.left.count < 0) throw new TooLargeError('It is too large.');
  if (node.text !== undefined) return mathLetters(node.text, place.variant ?? '');
  if (node.width !== undefined && node.type === undefined)
    return createElement('mspace', { width: `${node.width}em` });
  const { type = '', children = [] } = node;
  if (type === 'annotation') return null;
  const style = place.cells?.get(node);
  if (type === 'mtd' && !style) return null;
  const own = node.attributes?.['mathvariant'];
  const inner: Place = {
    ...place,
    depth: place.depth + 1,
    ...(typeof own === 'string' && { variant: own }),
    ...(type === 'mtable' && { cells: cellLooks(node) }),
  };
  // What has no type is only a list of others: in a row they stand in that, elsewhere they are one place.
  const isList = type === '' && place.isRow;
  inner.isRow = isList || rows.has(type);
  const content = children.flatMap((child, at) => [
    ...(inner.isRow && needsSpace(children[at - 1], child)
      ? [createElement('mspace', thinSpace)]
      : []),
    convert(child, { ...inner, isSign: inner.isRow === true && isSign(children[at - 1], child) }),
  ]);
  if (isList) return createElement(Fragment, null, ...content);
  if (!elements.has(type)) return createElement('mrow', null, ...content);
  const looks = { ...(place.isSign && { form: 'prefix' }), ...(style && { style }) };
  return createElement(type, { ...propertiesOf(node), ...looks }, ...content);
}

function propertiesOf({ attributes: given = {} }: MathTree): Record<string, string> {
  const kept = Object.entries(given).flatMap(([name, value]) => {
    const text = String(value);
    if (name === 'mathvariant') return text === 'normal' ? [[name, text]] : [];
    return attributes.has(name) && plainValue.test(text) ? [[name, text]] : [];
  });
  return Object.fromEntries(kept) as Record<string, string>;
}

/** KaTeX wraps the formula in spans. */
function findMath(tree: MathTree, depth = 0): MathTree | undefined {
  if (tree.type === 'math') return tree;
  if (depth > 5) return undefined;
  for (const child of tree.children ?? []) {
    const element = findMath(child, depth + 1);
    if (element) return element;
  }
  return undefined;
}
