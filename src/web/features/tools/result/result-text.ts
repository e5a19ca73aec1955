import type { ToolResult } from '#shared/vocabulary/tool.ts';

const comparableChars = 200_000;

/** Whether the text of a result only repeats its structured content, as MCP advises servers to do. */
export function isTextRedundant(result: ToolResult): boolean {
  const texts = result.content.filter((part) => part.type === 'text');
  const only = texts[0];
  if (
    result.structuredContent === undefined ||
    !only ||
    texts.length > 1 ||
    only.text.length > comparableChars
  ) {
    return false;
  }
  try {
    return canonical(JSON.parse(only.text)) === canonical(result.structuredContent);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Whether words of a result are kept elsewhere, so that what is here is not all of it. */
export function isPreview({ content, structuredStored }: ToolResult): boolean {
  return (
    structuredStored !== undefined ||
    content.some((part) => (part.type === 'text' || part.type === 'resource') && part.stored)
  );
}

/** Whether the text of a result is the preview of its structured content, as where it had no text. */
export function isStoredTwice({ content, structuredStored }: ToolResult): boolean {
  return (
    structuredStored !== undefined &&
    content.some((part) => part.type === 'text' && part.stored?.id === structuredStored.id)
  );
}

/** A whole result as text to copy. */
export function resultText(result: ToolResult): string {
  const texts = result.content.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    if (part.type === 'resource_link') return [part.uri];
    if (part.type === 'resource') return [part.resource.text ?? part.resource.uri];
    return [];
  });
  if (texts.length === 0 && result.structuredContent !== undefined) {
    return JSON.stringify(result.structuredContent, null, 2);
  }
  return texts.join('\n');
}

/** A whole result as it came, as JSON; only the data of media are left out. */
export function rawResult(result: ToolResult): string {
  return JSON.stringify(
    result,
    (key, value: unknown) => {
      const isMedium = (key === 'data' || key === 'blob') && typeof value === 'string';
      return isMedium && value.length > 200 ? `(${value.length} characters)` : value;
    },
    2,
  );
}

/** JSON with the names of every object in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
