type Take = (text: string) => void;

let takeQuote: Take | undefined;

/** Puts words of a message into the composer, marked as a quotation. */
export function quote(words: string): void {
  const lines = words.trim().split('\n');
  takeQuote?.(`${lines.map((line) => `> ${line}`.trimEnd()).join('\n')}\n\n`);
}

/** The composer takes quotations while it is there. */
export function onQuote(take: Take): () => void {
  takeQuote = take;
  return () => {
    if (takeQuote === take) takeQuote = undefined;
  };
}
