import type { VisiblePart } from './visible-part.ts';
/** Scripts with letters that are drawn like those of others; what is written in them alone is fine. */
const scripts = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Armenian: /\p{Script=Armenian}/u,
  Cherokee: /\p{Script=Cherokee}/u,
  Coptic: /\p{Script=Coptic}/u,
  Lisu: /\p{Script=Lisu}/u,
  /** Letters of formulas, numerals and sounds, which are Latin ones in another dress. */
  Styled:
    /[\u0251\u0261\u2102\u210A-\u2113\u2115\u2119-\u211D\u2124\u212A-\u212D\u212F-\u2134\u2160-\u217F\u{1D400}-\u{1D7FF}]/u,
};
const foreign =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\u0251\u0261\u2102\u210A-\u2113\u2115\u2119-\u211D\u2124\u212A-\u212D\u212F-\u2134\u2160-\u217F\u{1D400}-\u{1D7FF}]/u;
/** Names, paths and addresses: words that belong together without a space. */
const chains = /[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_./\\@:~%+-]*/gu;
const words = /[\p{L}\p{M}\p{N}_]+/gu;
/** Letters of Cyrillic, Greek and Armenian that cannot be told from Latin ones; no property says so. */
const doubles = /^[АВЕЅІЈКМНОРСТХҮаеорсухѕіјһӏԁԛԝүΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυιօոսհՕՍ\p{N}_]+$/u;
/** Any other of theirs: where one stands, somebody writes in that script. */
const genuine =
  /(?![АВЕЅІЈКМНОРСТХҮаеорсухѕіјһӏԁԛԝүΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυιօոսհՕՍ])[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;

/** Signs that pass for slashes, colons and dots, beside a letter or a digit; no property says so. */
const signs =
  /(?<=[\p{Script=Latin}\p{Nd}])[\u1735\u205A\u2024\u2215\u2216\u2236\u2571\u2572\u27CB\u27CD\u29F5\u29F8\u29F9\u02F8\u05C3\uA789]|[\u1735\u205A\u2024\u2215\u2216\u2236\u2571\u2572\u27CB\u27CD\u29F5\u29F8\u29F9\u02F8\u05C3\uA789](?=[\p{Script=Latin}\p{Nd}])|(?<=\p{Script=Latin})\u2044|\u2044(?=\p{Script=Latin})/gu;

/**
 * Marks words that mix scripts or are written in letters of formulas, and those that are wholly written
 * in letters that look Latin: in names, paths and addresses with Latin ones, and wherever nothing else
 * is written in their script. Signs that pass for those of addresses are marked as well. Pure.
 */
export function splitLookalikes(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  const isDisguise = !genuine.test(text);
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(signs)) {
    parts.push(...splitWords(text.slice(from, index), isDisguise));
    parts.push({ kind: 'lookalike', text: sign, scripts: ['Sign'] });
    from = index + sign.length;
  }
  return [...parts, ...splitWords(text.slice(from), isDisguise)];
}

function splitWords(text: string, isDisguise: boolean): VisiblePart[] {
  if (text === '') return [];
  if (!foreign.test(text)) return [{ kind: 'text', text }];
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const chain of text.matchAll(chains)) {
    if (!foreign.test(chain[0])) continue;
    const isLatin = scripts.Latin.test(chain[0]);
    for (const word of chain[0].matchAll(words)) {
      const mixed = scriptsOf(word[0]);
      const passes = (isLatin || isDisguise) && foreign.test(word[0]) && doubles.test(word[0]);
      if (mixed.length < 2 && !passes && !mixed.includes('Styled')) continue;
      const at = chain.index + word.index;
      if (at > from) parts.push({ kind: 'text', text: text.slice(from, at) });
      parts.push({ kind: 'lookalike', text: word[0], scripts: mixed });
      from = at + word[0].length;
    }
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

function scriptsOf(word: string): string[] {
  return Object.entries(scripts).flatMap(([name, script]) => (script.test(word) ? name : []));
}
