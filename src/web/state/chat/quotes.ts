import type { Quote } from '#shared/api/api.ts';
import type { Message } from '#shared/vocabulary/message.ts';

type Take = (text: string, messageId: string) => void;

let takeQuote: Take | undefined;

/** Puts words of a message into the composer, marked as a quotation. */
export function quote(words: string, messageId: string): void {
  const lines = words.trim().split('\n');
  takeQuote?.(`${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n`, messageId);
}

/** The composer takes quotations while it is there. */
export function onQuote(take: Take): () => void {
  takeQuote = take;
  return () => {
    if (takeQuote === take) takeQuote = undefined;
  };
}

/** A message whose words are sent again brings along whose words they were. */
export function quotesOf({ id, blocks }: Message): Quote[] {
  return blocks.some((block) => 'origins' in block && block.origins) ? [{ message: id }] : [];
}
