/** What the forms of an English word share: `files`, `created`, `creating` and `creation` meet. */
export function stem(word: string): string {
  const regular = irregular.get(word) ?? word;
  return /^[a-z]{4,}$/.test(regular) ? makeStem(regular) : regular;
}

const irregular = new Map(
  `spent spend, sent send, wrote write, written write, bought buy, sold sell, found find, ran run,
  made make, built build, paid pay, left leave, lost lose, kept keep, took take, taken take, gave give,
  given give, said say, told tell, held hold, met meet, saw see, seen see, went go, gone go, began begin,
  begun begin, chosen choose, chose choose, broken break, broke break, shown show, drawn draw, drew draw,
  driven drive, drove drive, slept sleep, ate eat, eaten eat, hidden hide, hid hide, thrown throw,
  threw throw, grew grow, grown grow, knew know, known know, rose rise, shut shut, caught catch,
  taught teach, thought think, brought bring, children child, men man, women woman`
    .split(',')
    .map((pair) => pair.trim().split(' ') as [string, string]),
);

/** The first ending that leaves enough of the word counts. */
const endings: [ending: RegExp, shortest: number, instead: string][] = [
  [/isations?$|izations?$/, 3, 'iz'],
  [/ations?$/, 4, 'at'],
  [/(?<=[tsc])ions?$/, 3, ''],
  [/ments?$/, 5, ''],
  [/is(?:e|es|ed|ing)$/, 5, 'iz'],
  [/iz(?:e|es|ed|ing)$/, 4, 'iz'],
];

function makeStem(word: string): string {
  for (const [ending, shortest, instead] of endings) {
    const rest = word.replace(ending, '');
    if (rest !== word && rest.length >= shortest) return rest + instead;
  }
  return withoutLastVowel(withoutInflection(word));
}

function withoutInflection(word: string): string {
  const singular = withoutPlural(word);
  const rest = singular.replace(/(?:ing|ed)$/, '');
  if (rest === singular || rest.length < 3 || !/[aeiouy]/.test(rest)) return singular;
  const undoubled = /([bdgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
  return undoubled;
}

function withoutPlural(word: string): string {
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith('s')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:sses|xes|ches|shes|zes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutLastVowel(word: string): string {
  if (word.length > 3 && word.endsWith('e')) return word.slice(0, -1);
  if (word.length > 3 && /[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}i`;
  return word;
}
