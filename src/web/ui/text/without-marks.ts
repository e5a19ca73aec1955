/** Words cut from Markdown, without the signs of bold, code and headings; `2**3` and `__init__` stay as they are. */
export function withoutMarks(text: string): string {
  return text
    .replaceAll(/(?<!\w)\*\*(?=\S)|(?<=\S)\*\*(?!\w)/g, '')
    .replaceAll('`', '')
    .replaceAll(/^#{1,6} /gm, '');
}
