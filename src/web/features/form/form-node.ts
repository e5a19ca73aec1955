import type { TextFormat } from '#shared/api/form.ts';
import type { Json, JsonObject } from '#shared/vocabulary/json.ts';

/** One of the values a person may choose, and how it is shown. */
export interface ChoiceOption {
  value: Json;
  title: string;
}

interface NodeBase {
  title?: string;
  description?: string;
  default?: Json;
  nullable: boolean;
}

/** What a form shows for one place of a JSON schema. */
export type FormNode = NodeBase & NodeShape;

/** A number and its bounds. */
export interface NumberNode {
  kind: 'number';
  integer: boolean;
  least?: number;
  most?: number;
  above?: number;
  below?: number;
  step?: number;
}

/** A text and its bounds; `lines` if it is meant to be long, `secret` if it should not be read over a shoulder. */
export interface TextNode {
  kind: 'text';
  format?: TextFormat;
  least?: number;
  most?: number;
  pattern?: string;
  lines: boolean;
  secret: boolean;
}

/** Several of the options, each at most once. */
export interface ChoicesNode {
  kind: 'choices';
  options: ChoiceOption[];
  least?: number;
  most?: number;
}

/** Any number of values of one shape. */
export interface ListNode {
  kind: 'list';
  item: FormNode;
  least?: number;
  most?: number;
  unique: boolean;
}

/** Named values, in the order of the schema; `closed` if it may hold no others. */
export interface ObjectNode {
  kind: 'object';
  properties: FormProperty[];
  closed: boolean;
}

/** A named value of an object. */
export interface FormProperty {
  name: string;
  required: boolean;
  node: FormNode;
}

/** What a value looks like, without the words about it. */
export type NodeShape =
  | TextNode
  | NumberNode
  | { kind: 'boolean' }
  | { kind: 'choice'; options: ChoiceOption[] }
  | ChoicesNode
  | ListNode
  | ObjectNode
  /** What no other kind expresses is written as JSON; `types` are those it may have, none for any. */
  | { kind: 'json'; types: string[] };

/** A JSON schema as servers send it. */
export type Schema = JsonObject;
