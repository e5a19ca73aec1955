import { describeMedia } from '#models/requests/result-content.ts';
import type { ModelMessage, ModelPart } from '#shared/vocabulary/model.ts';
import type { ToolResult } from '#shared/vocabulary/tool.ts';
import { flattenContent } from '#tools/results/results.ts';
import { estimateTokens } from './history-size.ts';

const maxPieceChars = 16_000;
const minPieceChars = 100;

/**
 * A part of the conversation as plain text of at most about `maxTokens`, for a model that is to sum it
 * up. The longest pieces lose their middle first; where that is not enough, the oldest go. Pure.
 */
export function writeRecord(messages: ModelMessage[], maxTokens: number): string {
  const pieces = messages.flatMap(writeMessage).map(withoutEnd);
  for (let longest = maxPieceChars; ; longest /= 2) {
    const record = pieces.map((piece) => shorten(piece, longest)).join('\n\n');
    if (estimateTokens(record) <= maxTokens) return record;
    if (longest < minPieceChars) return newest(record, maxTokens);
  }
}

/** What somebody said must not look like the end of the record. */
function withoutEnd(piece: string): string {
  return piece.replaceAll(/<(?=\/record>)/gi, '‹');
}

function writeMessage(message: ModelMessage): string[] {
  if (message.role === 'tool')
    return message.results.map(
      ({ toolName, result }) => `Result of ${toolName}: ${writeResult(result)}`,
    );
  const who = message.role === 'user' ? 'User' : 'Assistant';
  return message.parts.flatMap((part) => {
    const text = writePart(part);
    return text === '' ? [] : [`${who}: ${text}`];
  });
}

/** Thinking is left out: what came of it is in the answers. */
function writePart(part: ModelPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'thinking':
      return '';
    case 'file':
      return describeMedia(part.mimeType, part.name);
    case 'tool-call':
      return `calls ${part.toolName} with ${JSON.stringify(part.arguments)}`;
  }
}

function writeResult(result: ToolResult): string {
  return (result.isError ? '(failed) ' : '') + flattenContent(result);
}

function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head} […] ${tail}`;
}

/** The end of the record; a character is at most one token. */
function newest(record: string, maxTokens: number): string {
  return `[…] ${record.slice(-Math.max(minPieceChars, Math.floor(maxTokens))).toWellFormed()}`;
}
