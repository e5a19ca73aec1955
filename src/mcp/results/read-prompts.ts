import { isJsonObject } from '#shared/vocabulary/json.ts';
import type { ListKind } from './pages.ts';
import {
  type Note,
  readAnswer,
  readIcons,
  readList,
  readMeta,
  readName,
  readText,
} from './read-json.ts';
import { assertBounds, readPart } from './read-result.ts';
import type { GetPromptResult, McpPrompt, PromptMessage } from './types.ts';

const longest = { name: 256, title: 1000, description: 64 * 1024 };
const maxArguments = 100;

/** The prompts of a server. */
export const promptList: ListKind<McpPrompt> = {
  method: 'prompts/list',
  field: 'prompts',
  key: ({ name }) => name,
  read(entry, note) {
    const name = isJsonObject(entry) ? readName(entry.name, longest.name) : undefined;
    if (!isJsonObject(entry) || name === undefined) {
      note('A prompt without a usable name was left out.');
      return undefined;
    }
    const icons = readIcons(entry.icons);
    const meta = readMeta(entry._meta);
    return {
      name,
      ...readTexts(entry),
      arguments: readArguments(entry.arguments),
      ...(icons && { icons }),
      ...(meta && { meta }),
    };
  },
};

/** The answer to `prompts/get`. Throws CeriseError where it is none. */
export function readPrompt(value: unknown, most: number, note: Note): GetPromptResult {
  const answer = readAnswer(value, 'prompts/get');
  assertBounds(answer, most);
  const description = readText(answer.description, longest.description);
  const messages = readList(answer, 'messages', 'prompts/get').flatMap((entry) =>
    readMessage(entry, note),
  );
  return { ...(description && { description }), messages };
}

/** A message holds one part; where a server sends a list of them, each becomes a message. */
function readMessage(entry: unknown, note: Note): PromptMessage[] {
  if (isJsonObject(entry) && (entry.role === 'user' || entry.role === 'assistant')) {
    const { role, content } = entry;
    if (typeof content === 'string') return [{ role, content: { type: 'text', text: content } }];
    const parts = Array.isArray(content) ? content : [content];
    return parts.map((part) => ({ role, content: readPart(part) }));
  }
  note('A message of a prompt that is neither of the user nor of the assistant was left out.');
  return [];
}

function readArguments(value: unknown): McpPrompt['arguments'] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, maxArguments).flatMap((entry) => {
    const name = isJsonObject(entry) ? readName(entry.name, longest.name) : undefined;
    if (!isJsonObject(entry) || name === undefined) return [];
    return [{ name, ...readTexts(entry), required: entry.required === true }];
  });
}

function readTexts(entry: { title?: unknown; description?: unknown }) {
  const title = readText(entry.title, longest.title);
  const description = readText(entry.description, longest.description);
  return { ...(title && { title }), ...(description && { description }) };
}
