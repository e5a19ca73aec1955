import { CeriseError } from '#shared/errors/errors.ts';
import { say, textOf } from '#shared/errors/sentence.ts';
import { isJsonObject } from '#shared/vocabulary/json.ts';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import { boundsProblem } from '../schema/json-bounds.ts';
import { readAnswer } from './read-json.ts';

/**
 * The answer to `tools/call` in our words. Parts of a kind we do not know become their JSON as text.
 * Throws CeriseError where it is no result at all or out of bounds.
 */
export function readToolResult(value: unknown, most: number): ToolResult {
  const answer = readAnswer(value, 'tools/call');
  assertBounds(answer, most);
  const { content = [], structuredContent, isError } = answer;
  if (!Array.isArray(content)) {
    throw new CeriseError(
      'unreadable_response',
      say('result-no-list')`The result's content isn't a list.`,
    );
  }
  const result: ToolResult = { content: content.map(readPart) };
  if (Object.hasOwn(answer, 'toolResult')) result.content.push(asText(answer.toolResult));
  if (structuredContent !== undefined) result.structuredContent = structuredContent;
  if (isError === true) result.isError = true;
  return result;
}

/** One part of a result or a prompt, in our words; what is no known kind becomes its JSON as text. */
export function readPart(value: unknown): ContentPart {
  if (!isJsonObject(value)) return asText(value);
  switch (value.type) {
    case 'text':
      return typeof value.text === 'string' ? { type: 'text', text: value.text } : asText(value);
    case 'image':
    case 'audio':
      return readMedia(value.type, value) ?? asText(value);
    case 'resource_link':
      return readLink(value) ?? asText(value);
    case 'resource':
      return readResource(value.resource) ?? asText(value);
    default:
      return asText(value);
  }
}

/** Depth and size, before anything walks the answer: it must not exhaust stack or memory. */
export function assertBounds(answer: unknown, most: number): void {
  const problem = boundsProblem(answer, { depth: 200, nodes: most, characters: most });
  if (problem === undefined) return;
  const code = textOf(problem).includes('nested') ? 'unreadable_response' : 'result_too_large';
  throw new CeriseError(code, say('the-answer')`The response ${problem}.`);
}

function asText(value: unknown): ContentPart {
  return { type: 'text', text: JSON.stringify(value) ?? '' };
}

function readMedia(type: 'image' | 'audio', value: object): ContentPart | undefined {
  const { data, mimeType } = value as Partial<Record<string, unknown>>;
  if (typeof data !== 'string' || typeof mimeType !== 'string') return undefined;
  return { type, data, mimeType: mimeType.slice(0, 255) };
}

function readLink(value: object): ContentPart | undefined {
  const { uri, name, title, description, mimeType, size } = value as Partial<
    Record<string, unknown>
  >;
  if (typeof uri !== 'string') return undefined;
  return {
    type: 'resource_link',
    uri,
    name: typeof name === 'string' ? name : uri,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(typeof mimeType === 'string' && { mimeType: mimeType.slice(0, 255) }),
    ...(typeof size === 'number' && { size }),
  };
}

function readResource(value: unknown): ContentPart | undefined {
  if (!isJsonObject(value)) return undefined;
  const { uri, mimeType, text, blob } = value;
  if (typeof uri !== 'string') return undefined;
  return {
    type: 'resource',
    resource: {
      uri,
      ...(typeof mimeType === 'string' && { mimeType: mimeType.slice(0, 255) }),
      ...(typeof text === 'string' && { text }),
      ...(typeof blob === 'string' && { blob }),
    },
  };
}
