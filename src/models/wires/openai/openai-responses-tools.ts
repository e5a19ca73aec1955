import type { Citation } from '#shared/vocabulary/block.ts';
import { isJsonObject, type JsonObject } from '#shared/vocabulary/json.ts';
import type { AnswerWriter } from '../../answers/answer-writer.ts';
import { fieldsOf, textOf, type Fields } from '../../answers/event-data.ts';
import { findCitations } from '../../answers/provider-search.ts';
import { parseArguments } from '../../answers/tool-arguments.ts';
import { displayArguments, displayResult } from '../../answers/vendor-tools.ts';

/** Fields that say what an item is, not what was done. */
const identity = ['id', 'type', 'status', 'call_id', 'name', 'server_label', 'object', 'agent'];
/** Fields that say what came out of it. */
const outcomes = ['output', 'outputs', 'result', 'results', 'tools', 'error', 'content'];

/** An item of the responses API that is no word, thought or call of ours: the vendor runs it. */
export function startVendorItem(answer: AnswerWriter, item: Fields): void {
  if (isOutput(item)) return;
  answer.vendorStart(idOf(item), nameOf(item), undefined, textOf(item['server_label']));
}

/** Such an item is whole. What came out of it may follow as an item of its own. */
export function endVendorItem(answer: AnswerWriter, item: Fields): void {
  const id = idOf(item);
  const toolName = nameOf(item);
  if (isOutput(item)) return answer.vendorEnd(id, { toolName, result: resultOf(item) });
  const args = argumentsOf(item);
  answer.vendorStart(id, toolName, undefined, textOf(item['server_label']));
  if (isAnsweredLater(item)) return answer.vendorInput(id, args);
  answer.vendorEnd(id, {
    toolName,
    arguments: args,
    citations: citationsOf(item),
    ...(item['type'] !== 'web_search_call' && { result: resultOf(item) }),
  });
}

/** What belongs together has the same `call_id`; most items have none. */
function idOf({ call_id: callId, id }: Fields): string {
  return textOf(callId) || textOf(id);
}

function nameOf({ name, type }: Fields): string {
  return textOf(name) || textOf(type).replace(/_(call|output|call_output)$/, '');
}

function isOutput({ type, call_id: callId }: Fields): boolean {
  return textOf(type).endsWith('_output') && typeof callId === 'string';
}

function isAnsweredLater(item: Fields): boolean {
  const isCall =
    typeof item['call_id'] === 'string' && /_call$|^program$/.test(textOf(item['type']));
  return isCall && outcomes.every((field) => item[field] === undefined || item[field] === null);
}

/** A search is known by what was searched for, anything else by all that it was given. */
function argumentsOf(item: Fields): JsonObject {
  const { action, arguments: written } = item;
  if (isJsonObject(action)) return displayArguments(action, ['type', 'sources', 'queries']);
  if (typeof written === 'string')
    return displayArguments(parseArguments(written) ?? { arguments: written });
  if (isJsonObject(written)) return displayArguments(written);
  return displayArguments(item, [...identity, ...outcomes]);
}

function resultOf(item: Fields): ReturnType<typeof displayResult> {
  const { type, error, output, outputs, results, tools, content } = item;
  if (error !== undefined && error !== null) return displayResult(error, true);
  if (type === 'code_interpreter_call') return displayResult({ outputs: outputs ?? [] }, false);
  const given = output ?? outputs ?? results ?? tools ?? content;
  return isEmpty(given) ? undefined : displayResult(given);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function citationsOf({ type, action, results }: Fields): Omit<Citation, 'number'>[] {
  if (type === 'web_search_call') return findCitations(action);
  const files = type === 'file_search_call' && Array.isArray(results) ? results.map(fieldsOf) : [];
  return files.flatMap(({ filename }) =>
    typeof filename === 'string' ? [{ title: filename }] : [],
  );
}
