import { isJsonObject, type Json, type JsonObject } from '#shared/vocabulary/json.ts';
import type { Tool } from '#shared/vocabulary/tool.ts';
import { offeredActions } from './actions.ts';
import { termsOf } from './words.ts';

/** What is indexed of a tool. */
export type SearchableTool = Pick<
  Tool,
  'name' | 'description' | 'inputSchema' | 'serverName' | 'toolName' | 'title'
>;

/** A tool as the index sees it: its words, and how much each says of it (0..1). */
export interface ToolDocument {
  terms: string[];
  impacts: number[];
  actions: ReadonlySet<string> | undefined;
}

interface FieldSetting {
  /** How much a word in this field says. */
  weight: number;
  /** How many words such a field usually has. Fixed, so that a tool can be read for itself. */
  length: number;
  /** 0: a word of a long field says as much as one of a short field; 1: it says less in proportion. */
  lengthMatters: number;
}

/** Name, title, first sentence, rest of the description, server, parameter names, their descriptions. */
const fieldSettings: readonly FieldSetting[] = [
  { weight: 2.4, length: 3, lengthMatters: 0.5 },
  { weight: 1.8, length: 3, lengthMatters: 0.5 },
  { weight: 1.6, length: 10, lengthMatters: 0.4 },
  { weight: 0.7, length: 20, lengthMatters: 0.5 },
  { weight: 1.2, length: 1, lengthMatters: 0 },
  { weight: 0.5, length: 4, lengthMatters: 0.5 },
  { weight: 0.3, length: 15, lengthMatters: 0.5 },
];
/** How soon a repeated word says no more. */
const saturation = 1.1;

const maxDescriptionChars = 4096;
const maxParameterChars = 300;
const maxParameters = 64;
const deepest = 4;

const documents = new WeakMap<JsonObject, { of: SearchableTool; document: ToolDocument }>();

/** Reads a tool. Kept with its schema, which lives as long as the definition does. */
export function readTool(tool: SearchableTool): ToolDocument {
  const kept = documents.get(tool.inputSchema);
  if (kept && isSame(kept.of, tool)) return kept.document;
  const document = toDocument(tool);
  documents.set(tool.inputSchema, { of: tool, document });
  return document;
}

function isSame(a: SearchableTool, b: SearchableTool): boolean {
  return (
    a.toolName === b.toolName &&
    a.serverName === b.serverName &&
    a.title === b.title &&
    a.description === b.description
  );
}

function toDocument(tool: SearchableTool): ToolDocument {
  const text = tool.description.slice(0, maxDescriptionChars);
  const lead = firstSentence(text);
  const parameters = { names: '', texts: '', left: maxParameters };
  collectParameters(tool.inputSchema, deepest, parameters);
  const fields = [
    termsOf(tool.toolName, true),
    termsOf(tool.title ?? ''),
    termsOf(lead),
    termsOf(text.slice(lead.length)),
    termsOf(tool.serverName, true),
    termsOf(parameters.names, true),
    termsOf(parameters.texts),
  ];
  const frequencies = countTerms(fields);
  return {
    terms: [...frequencies.keys()],
    impacts: Array.from(frequencies.values(), (frequency) => frequency / (saturation + frequency)),
    actions: offeredActions(tool.toolName, lead),
  };
}

function countTerms(fields: readonly (readonly string[])[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const [field, { weight, length, lengthMatters }] of fieldSettings.entries()) {
    const terms = fields[field] ?? [];
    const share = weight / (1 - lengthMatters + (lengthMatters * terms.length) / length);
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + share);
  }
  return frequencies;
}

function firstSentence(text: string): string {
  const end = /[.!?](?=\s)|[。！？\n]/.exec(text);
  return end ? text.slice(0, end.index + 1) : text;
}

interface Parameters {
  names: string;
  texts: string;
  left: number;
}

/** Walks what a schema may nest parameters in, within bounds: schemas come from anybody. */
function collectParameters(schema: Json | undefined, depth: number, into: Parameters): void {
  if (depth === 0 || !isJsonObject(schema)) return;
  if (isJsonObject(schema['properties'])) {
    for (const [name, property] of Object.entries(schema['properties'])) {
      if (into.left === 0) return;
      into.left -= 1;
      into.names += ` ${name.slice(0, maxParameterChars)}`;
      if (!isJsonObject(property)) continue;
      into.texts += ` ${wordsIn(property)}`;
      collectParameters(property, depth - 1, into);
    }
  }
  collectParameters(schema['items'], depth - 1, into);
}

function wordsIn({ description, enum: choices }: JsonObject): string {
  const text = typeof description === 'string' ? description : '';
  const listed = Array.isArray(choices) ? choices.filter((each) => typeof each === 'string') : [];
  return `${text} ${listed.join(' ')}`.slice(0, maxParameterChars);
}
