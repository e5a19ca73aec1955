const sentences = [
  'A stream is read as it arrives, and every piece of it stays in order.',
  'Nothing is written twice, and nothing that was shown is ever lost.',
  'Anyone who opens the page later sees **exactly** the same words as everyone else.',
  'The writer doesn’t wait for slow readers; they catch up when they can.',
  'Short sentences are easier to follow than long ones, and `code` stands out.',
  'If the connection drops, the answer continues and the reader can return to it.',
];

/**
 * Deterministic markdown of exactly `count` deltas, headings and lists included. The same count
 * always gives the same text, and a longer one begins with the shorter.
 */
export function demoProse(count: number): string[] {
  const deltas: string[] = [];
  for (let number = 1; deltas.length < count; number += 1) {
    const first = sentences[number % sentences.length];
    const second = sentences[(number * 3 + 1) % sentences.length];
    const body = number % 4 === 0 ? `- ${first}\n- ${second}\n\n` : `${first} ${second}\n\n`;
    const heading = number % 6 === 1 ? `## Part ${Math.floor(number / 6) + 1}\n\n` : '';
    deltas.push(...(`${heading}${body}`.match(/\S+\s*/g) ?? []));
  }
  return deltas.slice(0, count);
}
