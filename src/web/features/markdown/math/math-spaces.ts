/** The tree that KaTeX makes before it becomes markup. */
export interface MathTree {
  type?: string;
  attributes?: Record<string, unknown>;
  classes?: string[];
  children?: MathTree[];
  text?: string;
  character?: string | null;
  width?: number;
}

/** Comes after the name of a function, and draws nothing. */
const application = '\u2061';
const scripts = new Set(['msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover']);
/** After these, plus and minus belong to what follows. */
const opensOperand = /^[=<>≤≥≠≈≡∼≅∝∈→⇒⇔↦←,;:([{⟨⌊⌈+−±∓×⋅∗/÷∧∨]$/;
const closing = /^[)\]}⟩⌋⌉!]$/;

/**
 * Whether TeX has a thin space between two neighbours where browsers have none: around the name of a
 * function, unless brackets or an operator with a space of its own are there.
 */
export function needsSpace(before: MathTree | undefined, after: MathTree): boolean {
  if (!before || isSpace(before) || isSpace(after)) return false;
  if (isFunction(before)) return after.type !== 'mo' && textOf(after) !== application;
  if (!isFunction(after)) return false;
  return before.type !== 'mo' || closing.test(textOf(before));
}

/** Whether a plus or minus is the sign of what follows, as in `b = -3`: browsers space it as an operator. */
export function isSign(before: MathTree | undefined, { type, ...rest }: MathTree): boolean {
  if (before?.type !== 'mo' || type !== 'mo') return false;
  return /^[+−±∓]$/.test(textOf(rest)) && opensOperand.test(textOf(before));
}

/** A name with its mark, or one with limits or an exponent. */
function isFunction({ type = '', children = [] }: MathTree): boolean {
  const [first] = children;
  if (scripts.has(type)) return first !== undefined && isFunction(first);
  if (type !== '' && type !== 'mrow') return false;
  const last = children.at(-1);
  return children.length > 1 && last?.type === 'mo' && textOf(last) === application;
}

function isSpace({ type, width }: MathTree): boolean {
  return type === 'mspace' || (width !== undefined && type === undefined);
}

function textOf({ text = '', children = [] }: MathTree): string {
  return text + children.map(textOf).join('');
}
