/** What may stand in a gap of a sentence; a sentence may stand in another. */
export type SentenceValue = string | number | Sentence;

/** By what a sentence of the host is known in any language: a stable id, and what stands in its gaps. */
export interface SentenceRef {
  id: string;
  values?: SentenceValue[] | undefined;
}

/** A sentence of the host: its English text, and by what it is known. */
export interface Sentence extends SentenceRef {
  text: string;
}

/** A sentence of the host, or the words of somebody else: a vendor, a server, the system. */
export type Words = string | Sentence;

/**
 * Tags a template as a sentence: say('file-over')`The file is larger than ${most} MiB.` The page says
 * it in the reader's language by its id; everybody else reads the English.
 */
export function say(
  id: string,
): (strings: TemplateStringsArray, ...values: SentenceValue[]) => Sentence {
  return (strings, ...values) =>
    sayAs(id, String.raw({ raw: strings }, ...values.map(inText)), ...values);
}

/** The same where the English is there already. */
export function sayAs(id: string, text: string, ...values: SentenceValue[]): Sentence {
  return { id, text, ...(values.length > 0 && { values }) };
}

/** A number of something, such as “1 item” or “2 items”; other languages have no plural and name it themselves. */
export function counted(count: number, one: string, many = `${one}s`): Sentence {
  const text = `${count} ${count === 1 ? one : many}`;
  return sayAs('counted', text, count);
}

/** The English of words. */
export function textOf(words: Words): string {
  return typeof words === 'string' ? words : words.text;
}

/** By what words are known, if they are a sentence. */
export function sentenceRef(words: Words | undefined): SentenceRef | undefined {
  if (words === undefined || typeof words === 'string') return undefined;
  const { id, values } = words;
  return values ? { id, values } : { id };
}

/** Puts together again what was kept apart. */
export function toWords(text: string, ref: SentenceRef | undefined): Words {
  return ref ? { ...ref, text } : text;
}

/**
 * Says words in a language, by the ids of its sentences, of which `{0}` is the first gap. What the language has
 * no words for stays as it is.
 */
export function sayIn(sentences: Readonly<Record<string, string>>, words: Words): string {
  if (typeof words === 'string' || !Object.hasOwn(sentences, words.id)) return textOf(words);
  const template = sentences[words.id] ?? '';
  return template.replaceAll(/\{(\d+)\}/g, (gap, place: string) => {
    const value = words.values?.[Number(place)] ?? gap;
    return typeof value === 'object' ? sayIn(sentences, value) : String(value);
  });
}

/** Two pieces one after the other. */
export function joinWords(first: Words, second: Words | undefined): Words {
  return second === undefined || second === '' ? first : say('one-after-other')`${first} ${second}`;
}

/** Words with every piece of text in them changed, such as to take out secrets. */
export function changeWords<W extends Words>(words: W, change: (text: string) => string): W;
export function changeWords(words: Words, change: (text: string) => string): Words {
  if (typeof words === 'string') return change(words);
  const { id, text, values } = words;
  const changed = values?.map((value) =>
    typeof value === 'number' ? value : changeWords(value, change),
  );
  return { id, text: change(text), ...(changed && { values: changed }) };
}

function inText(value: SentenceValue): string {
  return typeof value === 'object' ? value.text : String(value);
}
