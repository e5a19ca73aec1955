import { findGap } from '#shared/text/text-gap.ts';

/** The name of the tool that reads more, which no other tool of a request may have. */
export const readMoreName = 'read_more';

/** What names one part of a call's result to it. An attached file is named by its own id. */
export function readMoreId(toolCallId: string, part: number): string {
  return `${toolCallId}.${part}`;
}

/** The line after a text that was cut: how to read the rest. Undefined for a whole text. */
export function readMoreNote(id: string, text: string): string | undefined {
  const gap = findGap(text);
  return (
    gap && `[To read the omitted text, call ${readMoreName} with id "${id}" and from ${gap.at}.]`
  );
}
