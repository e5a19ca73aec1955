import { fitsFormat } from '#shared/api/form.ts';
import { countCharacters } from '#shared/text/text.ts';
import { isJsonObject, type Json, type JsonObject, pointerTo } from '#shared/vocabulary/json.ts';
import { readExactJson, readExactNumber } from './exact-json.ts';
import { fitsNode, sameJson } from './fits-node.ts';
import type { FormNode, ListNode, NumberNode, ObjectNode, Schema, TextNode } from './form-node.ts';
import { readSchema } from './read-schema.ts';
import { unreadText } from './unread.ts';

/** What is wrong with a field; `n` is the bound it missed. The page has a sentence for each. */
export interface FormProblem {
  code:
    | 'required'
    | 'text'
    | 'number'
    | 'exact'
    | 'integer'
    | 'boolean'
    | 'choice'
    | 'list'
    | 'object'
    | 'json'
    | 'kind'
    | 'least'
    | 'most'
    | 'above'
    | 'below'
    | 'step'
    | 'short'
    | 'long'
    | 'few'
    | 'many'
    | 'twice'
    | 'unknown'
    | 'email'
    | 'uri'
    | 'date'
    | 'date-time';
  n?: number;
}

/** Problems by the JSON pointer of their field. */
export type FormErrors = Record<string, FormProblem>;

/**
 * What is wrong with a form's value, nothing if it may be sent. Patterns of a stranger are left to
 * the host, which runs them bounded.
 */
export function checkForm(schema: Schema, value: JsonObject): FormErrors {
  const errors: FormErrors = {};
  checkNode(readSchema(schema), value, '', errors);
  return errors;
}

function checkNode(node: FormNode, value: Json, at: string, errors: FormErrors): void {
  const unread = unreadText(value);
  if (unread !== undefined) {
    errors[at] = { code: unreadProblem(unread, node.kind) };
    return;
  }
  if (value === null && node.nullable) return;
  if (!fitsNode(node, value)) {
    errors[at] = { code: wrongKind[node.kind] };
    return;
  }
  const problem = boundProblem(node, value);
  if (problem) errors[at] = problem;
  if (node.kind === 'object' && isJsonObject(value)) checkObject(node, value, at, errors);
  else if (node.kind === 'list' && Array.isArray(value))
    value.forEach((each, index) => checkNode(node.item, each, pointerTo(at, index), errors));
  else if (node.kind === 'json') checkUnread(value, at, errors);
}

const wrongKind: Record<FormNode['kind'], FormProblem['code']> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  choice: 'choice',
  choices: 'choice',
  list: 'list',
  object: 'object',
  json: 'kind',
};

function checkObject(node: ObjectNode, value: JsonObject, at: string, errors: FormErrors): void {
  const known = new Set<string>();
  for (const { name, required, node: field } of node.properties) {
    known.add(name);
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const place = pointerTo(at, name);
    if (given !== undefined) checkNode(field, given, place, errors);
    else if (required) errors[place] = { code: 'required' };
  }
  for (const [name, given] of Object.entries(value)) {
    if (known.has(name)) continue;
    if (node.closed) errors[pointerTo(at, name)] = { code: 'unknown' };
    else checkUnread(given, pointerTo(at, name), errors);
  }
}

/** What was typed and not read must not be sent, wherever it stands. */
function checkUnread(value: Json, at: string, errors: FormErrors): void {
  const unread = unreadText(value);
  if (unread !== undefined) errors[at] = { code: unreadProblem(unread, 'json') };
}

function unreadProblem(text: string, kind: FormNode['kind']): FormProblem['code'] {
  if (text === '') return 'required';
  const read = kind === 'number' ? readExactNumber(text) : readExactJson(text);
  if (read === 'inexact') return 'exact';
  return kind === 'number' ? 'number' : 'json';
}

function boundProblem(node: FormNode, value: Json): FormProblem | undefined {
  if (node.kind === 'text' && typeof value === 'string') return textProblem(node, value);
  if (node.kind === 'number' && typeof value === 'number') return numberProblem(node, value);
  if ((node.kind === 'list' || node.kind === 'choices') && Array.isArray(value))
    return listProblem(node, value);
  return undefined;
}

function textProblem({ format, least, most }: TextNode, value: string): FormProblem | undefined {
  const length = countCharacters(value);
  if (least !== undefined && length < least) return { code: 'short', n: least };
  if (most !== undefined && length > most) return { code: 'long', n: most };
  return format === undefined || fitsFormat(format, value) ? undefined : { code: format };
}

function numberProblem(node: NumberNode, value: number): FormProblem | undefined {
  const { integer, least, most, above, below, step } = node;
  if (integer && !Number.isInteger(value)) return { code: 'integer' };
  if (least !== undefined && value < least) return { code: 'least', n: least };
  if (most !== undefined && value > most) return { code: 'most', n: most };
  if (above !== undefined && value <= above) return { code: 'above', n: above };
  if (below !== undefined && value >= below) return { code: 'below', n: below };
  if (step !== undefined && step > 0 && !isMultiple(value, step)) return { code: 'step', n: step };
  return undefined;
}

/** Rounding aside: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

function listProblem(
  node: Pick<ListNode, 'least' | 'most'> & { kind: string; unique?: boolean },
  value: Json[],
): FormProblem | undefined {
  const { least, most } = node;
  if (least !== undefined && value.length < least) return { code: 'few', n: least };
  if (most !== undefined && value.length > most) return { code: 'many', n: most };
  const single = node.kind === 'choices' || node.unique === true;
  return single && hasTwice(value) ? { code: 'twice' } : undefined;
}

function hasTwice(values: Json[]): boolean {
  return values
    .slice(0, 1000)
    .some((one, at) => values.slice(0, at).some((other) => sameJson(one, other)));
}
