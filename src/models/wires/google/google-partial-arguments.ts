import { fieldsOf, type Fields } from '../../answers/event-data.ts';

type Step = string | number;
type Holder = Record<Step, unknown>;

const maxSteps = 64;
const stepForm = /\.([^.[\]]+)|\[(\d{1,6})\]|\['([^']*)'\]|\["([^"]*)"\]/y;

/** A container that is written and not closed, with what is in it so far. */
interface Open {
  step: Step;
  isList: boolean;
  steps: Set<Step>;
}

/**
 * Arguments that Google streams value by value: `$.recipe.steps[0]` and what is there, texts in pieces.
 * They come in the order of the JSON text, as a rule, and then each is the next piece of it.
 */
export class PartialArguments {
  readonly #root = newHolder();
  readonly #open: Open[] = [{ step: '$', isList: false, steps: new Set() }];
  /** The path of a text that is written without its last quote. */
  #text: string | undefined;
  #begun = false;
  /** False once a value has come in another order: what is written is then told at the end. */
  inOrder = true;

  /** The text that these values add. */
  add(values: unknown): string {
    if (!Array.isArray(values) || values.length === 0) return '';
    let text = this.#begun ? '' : '{';
    this.#begun = true;
    for (const value of values) text += this.#add(fieldsOf(value));
    return this.inOrder ? text : '';
  }

  /** What closes the text, or the whole of it where values came in another order. */
  end(): { rest: string; whole?: string } {
    if (!this.inOrder) return { rest: '', whole: JSON.stringify(this.#root) };
    return { rest: this.#begun ? `${this.#closeText() + this.#enter([], false)}}` : '{}' };
  }

  #add(given: Fields): string {
    const path = typeof given['jsonPath'] === 'string' ? given['jsonPath'] : '';
    // What says `[]` has no value: it ends a list, or is an empty one where nothing was before.
    const isList = path.endsWith('[]');
    const steps = toSteps(isList ? path.slice(0, -2) : path);
    if (!steps) return '';
    const goesOn = given['willContinue'] === true;
    const known = valueAt(this.#root, steps);
    const value = valueOf(given);
    if (typeof value === 'string' && typeof known === 'string') {
      put(this.#root, steps, known + value);
      if (this.#text !== path) this.inOrder = false;
      return inQuotes(value) + (goesOn ? '' : this.#closeText());
    }
    if (value === undefined && (goesOn || known !== undefined)) {
      return !goesOn && this.#text === path ? this.#closeText() : '';
    }
    const empty = isList ? [] : newHolder();
    if (!put(this.#root, steps, value === undefined ? empty : value)) return '';
    if (value === undefined) return this.#closeText() + this.#enter(steps, isList);
    const before = this.#closeText() + this.#reach(steps);
    if (typeof value !== 'string' || !goesOn) return before + JSON.stringify(value);
    this.#text = path;
    return `${before}"${inQuotes(value)}`;
  }

  #closeText(): string {
    const isOpen = this.#text !== undefined;
    this.#text = undefined;
    return isOpen ? '"' : '';
  }

  #reach(steps: Step[]): string {
    const last = steps.at(-1) ?? '';
    return this.#enter(steps.slice(0, -1), typeof last === 'number') + this.#begin(last);
  }

  /** Leaves the containers that are not on the way, and begins those that are. */
  #enter(way: Step[], endsInList: boolean): string {
    let text = '';
    let depth = 1;
    while (depth < this.#open.length && this.#open[depth]?.step === way[depth - 1]) depth += 1;
    while (this.#open.length > depth) text += this.#open.pop()?.isList ? ']' : '}';
    for (const [at, step] of way.entries()) {
      if (at < depth - 1) continue;
      const isList = at + 1 < way.length ? typeof way[at + 1] === 'number' : endsInList;
      text += this.#begin(step) + (isList ? '[' : '{');
      this.#open.push({ step, isList, steps: new Set() });
    }
    return text;
  }

  /** What stands before a value in the innermost container; nothing may come twice or too early. */
  #begin(step: Step): string {
    const holder = this.#open.at(-1);
    if (!holder) return '';
    const { isList, steps } = holder;
    const isNext = isList ? step === steps.size : typeof step === 'string' && !steps.has(step);
    if (!isNext) this.inOrder = false;
    const comma = steps.size > 0 ? ',' : '';
    steps.add(step);
    return isList ? comma : `${comma}${JSON.stringify(step)}:`;
  }
}

function toSteps(path: string): Step[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const steps: Step[] = [];
  for (let at = 1; at < path.length; at = stepForm.lastIndex) {
    stepForm.lastIndex = at;
    const found = stepForm.exec(path);
    if (!found || steps.length === maxSteps) return undefined;
    const [, plain, index, ...quoted] = found;
    steps.push(index === undefined ? (plain ?? quoted.join('')) : Number(index));
  }
  return steps.length > 0 ? steps : undefined;
}

function valueOf(given: Fields): unknown {
  const { stringValue, numberValue, boolValue } = given;
  return stringValue ?? numberValue ?? boolValue ?? ('nullValue' in given ? null : undefined);
}

function valueAt(root: Holder, steps: Step[]): unknown {
  let value: unknown = root;
  for (const step of steps) {
    if (!isHolder(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

/** False where the value has no place, and then nothing of the way to it is kept. */
function put(root: Holder, steps: Step[], value: unknown): boolean {
  if (!hasPlace(root, steps)) return false;
  let holder = root;
  for (const [at, step] of steps.slice(0, -1).entries()) {
    if (!Object.hasOwn(holder, step))
      holder[step] = typeof steps[at + 1] === 'number' ? [] : newHolder();
    holder = holder[step] as Holder;
  }
  holder[steps.at(-1) ?? ''] = value;
  return true;
}

/** Not behind another value, not by a name in a list, and not behind a gap in one. */
function hasPlace(root: Holder, steps: Step[]): boolean {
  let holder: unknown = root;
  for (const step of steps) {
    // From where nothing is yet, the way goes through new lists, each with its first entry.
    if (holder === undefined) {
      if (typeof step === 'number' && step > 0) return false;
      continue;
    }
    if (!isHolder(holder)) return false;
    if (Array.isArray(holder) && !(typeof step === 'number' && step <= holder.length)) return false;
    holder = Object.hasOwn(holder, step) ? holder[step] : undefined;
  }
  return true;
}

/** An object in which every name is a name like any other. */
function newHolder(): Holder {
  return Object.create(null) as Holder;
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

function inQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
