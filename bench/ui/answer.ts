const words =
  'the host keeps every block of an answer in the order in which it began and shows it at once ' +
  'while tools run beside each other and nothing that is finished is ever drawn again';

/** What an answer is made of: sections with everything in them, or one list. */
export type AnswerKind = 'mixed' | 'list';

/** A long answer as models write them, of so many bytes: the same for every contestant and round. */
export function makeAnswer(bytes: number, kind: AnswerKind): string {
  const next = kind === 'list' ? listItem : section;
  let text = '';
  for (let part = 0; text.length < bytes; part += 1) text += next(part);
  return text.slice(0, bytes);
}

function listItem(part: number): string {
  return `- **Item ${part}**: ${words.slice((part * 7) % 60)} and \`item_${part}\`\n`;
}

/** The text as it has grown after each update. */
export function updatesOf(text: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    text.slice(0, Math.round((text.length * (at + 1)) / count)),
  );
}

function section(part: number): string {
  const sentence = (at: number) => {
    const from = ((part * 7 + at * 13) % 20) * 4;
    return `${words.slice(from, from + 90).trim()} **${at}** and \`item_${part}\`, 中文**重点。**也在.`;
  };
  return [
    `## Section ${part}`,
    [1, 2, 3, 4].map((at) => sentence(at)).join(' '),
    [1, 2, 3, 4].map((at) => `- ${sentence(at)}`).join('\n'),
    `See [the page](https://example.com/${part}) and *more* at https://example.com/a?b=${part}.`,
    `| name | value | note |\n|---|--:|---|\n${[1, 2, 3].map((at) => `| row ${at} | ${at * part} | ${sentence(at).slice(0, 40)} |`).join('\n')}`,
    `\`\`\`ts\nexport function part${part}(value: number): string {\n  // ${words.slice(0, 50)}\n  const list = [value, ${part}].map((one) => one * 2);\n  return list.join(', ');\n}\n\`\`\``,
    `> ${sentence(5)}`,
    [6, 7].map((at) => sentence(at)).join(' '),
    '',
  ].join('\n\n');
}
