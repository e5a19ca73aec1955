/** A question in a text of an entry; its id starts with its way, which another version may number differently. */
const question = /\$\{input:(?:package|remote)\d+\.([\w.-]+)\}/g;

/** The id of a question without the number of its way. */
export function questionEnd(id: string): string {
  return id.replace(/^input:(?:package|remote)\d+\./, '');
}

/** A text of an entry, normalised for comparison with another version. */
export function comparable(text: string): string {
  return text.replaceAll(question, (_, end: string) => `\${input:${end}}`);
}

/**
 * The answers to the questions in a template, by the end of their ids, read back from the filled-in text; undefined if
 * the text does not match. In linear time: registries write these templates.
 */
export function readBack(template: string, text: string): Map<string, string> | undefined {
  const answers = new Map<string, string>();
  const found = [...template.matchAll(question)];
  let at = 0;
  let from = 0;
  for (const [index, match] of found.entries()) {
    const before = template.slice(from, match.index);
    if (!text.startsWith(before, at)) return undefined;
    at += before.length;
    from = match.index + match[0].length;
    const next = found[index + 1];
    const after = template.slice(from, next?.index);
    // Two adjacent answers cannot be told apart.
    if (after === '' && next) return undefined;
    const end = next ? text.indexOf(after, at) : text.length - after.length;
    if (end < at) return undefined;
    answers.set(match[1] ?? '', text.slice(at, end));
    at = end;
  }
  return text.slice(at) === template.slice(from) ? answers : undefined;
}

/** The value of each argument of an entry, undefined for omitted ones, and the arguments that a person appended. */
export interface AlignedArgs {
  slots: (string | undefined)[];
  more: string[];
}

/** Undefined if the arguments are no longer those of the entry. */
export function alignArgs(
  templates: readonly string[],
  args: readonly string[],
): AlignedArgs | undefined {
  const width = args.length + 1;
  // Whether templates from `t` on can be found in the arguments from `a` on, worked out from the end.
  const fits = new Uint8Array((templates.length + 1) * width).fill(0);
  fits.fill(1, templates.length * width);
  const isTaken = (t: number, a: number) =>
    a < args.length &&
    readBack(templates[t] ?? '', args[a] ?? '') !== undefined &&
    fits[(t + 1) * width + a + 1] === 1;
  const isLeftOut = (t: number, a: number) =>
    (templates[t] ?? '').search(question) >= 0 && fits[(t + 1) * width + a] === 1;
  for (let t = templates.length - 1; t >= 0; t -= 1)
    for (let a = args.length; a >= 0; a -= 1)
      fits[t * width + a] = Number(isTaken(t, a) || isLeftOut(t, a));
  if (fits[0] !== 1) return undefined;
  let a = 0;
  const slots = templates.map((_, t) => (isTaken(t, a) ? args[a++] : undefined));
  return { slots, more: args.slice(a) };
}
