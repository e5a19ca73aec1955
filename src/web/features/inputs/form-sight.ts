import { visibleParts } from '#shared/text/visible-text.ts';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';
import { sameJson } from '../form/fits-node.ts';
import type { ChoiceOption, FormNode, Schema } from '../form/form-node.ts';
import { readSchema } from '../form/read-schema.ts';

/** A longer text is not seen whole in its field. */
const maxFieldChars = 80;

/**
 * What of a form would be sent in another way than its fields show it: what draws nothing, long texts
 * and secrets that the server began, choices that are called something else. Pure.
 */
export function misleadingValues(schema: Schema, value: JsonObject): JsonObject {
  const node = readSchema(schema);
  const nodes = new Map(
    node.kind === 'object' ? node.properties.map((each) => [each.name, each.node]) : [],
  );
  const unlike = Object.entries(value).filter(
    ([name, each]) => !isDisplayed(nodes.get(name), each),
  );
  return Object.fromEntries(unlike);
}

function isDisplayed(node: FormNode | undefined, value: Json): boolean {
  switch (node?.kind) {
    case 'choice':
      return isNamedSo(node.options, value);
    case 'choices':
      return Array.isArray(value) && value.every((each) => isNamedSo(node.options, each));
    case 'text':
      if (node.secret) return node.default === undefined;
      break;
    default:
  }
  const text = textOf(value);
  // Who changed a letter of a long text has not seen the rest of it.
  const isOurs = node?.default === undefined || fitsField(textOf(node.default));
  return (isOurs || fitsField(text)) && isPlain(text);
}

function fitsField(text: string): boolean {
  return text.length <= maxFieldChars && !text.includes('\n');
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether the chosen one is called what is sent for it. */
function isNamedSo(options: ChoiceOption[], value: Json): boolean {
  const title = options.find((option) => sameJson(option.value, value))?.title;
  const text = textOf(value);
  return title === text && isPlain(text);
}

function isPlain(text: string): boolean {
  return visibleParts(text, { goesOn: true }).every(({ kind }) => kind === 'text');
}
