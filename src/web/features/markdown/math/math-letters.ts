interface Alphabet {
  upper: number;
  lower: number;
  digits?: number;
}

/** Where the letters of each look begin in Unicode's mathematical alphabets. */
const alphabets: Record<string, Alphabet> = {
  bold: { upper: 0x1_d4_00, lower: 0x1_d4_1a, digits: 0x1_d7_ce },
  italic: { upper: 0x1_d4_34, lower: 0x1_d4_4e },
  'bold-italic': { upper: 0x1_d4_68, lower: 0x1_d4_82 },
  script: { upper: 0x1_d4_9c, lower: 0x1_d4_b6 },
  fraktur: { upper: 0x1_d5_04, lower: 0x1_d5_1e },
  'double-struck': { upper: 0x1_d5_38, lower: 0x1_d5_52, digits: 0x1_d7_d8 },
  'bold-fraktur': { upper: 0x1_d5_6c, lower: 0x1_d5_86 },
  'sans-serif': { upper: 0x1_d5_a0, lower: 0x1_d5_ba, digits: 0x1_d7_e2 },
  'bold-sans-serif': { upper: 0x1_d5_d4, lower: 0x1_d5_ee, digits: 0x1_d7_ec },
  'sans-serif-italic': { upper: 0x1_d6_08, lower: 0x1_d6_22 },
  monospace: { upper: 0x1_d6_70, lower: 0x1_d6_8a, digits: 0x1_d7_f6 },
};

/** Letters that had a place in Unicode before the alphabets came. */
const older: Record<string, Record<string, string>> = {
  italic: { h: 'ℎ' },
  script: {
    B: 'ℬ',
    E: 'ℰ',
    F: 'ℱ',
    H: 'ℋ',
    I: 'ℐ',
    L: 'ℒ',
    M: 'ℳ',
    R: 'ℛ',
    e: 'ℯ',
    g: 'ℊ',
    o: 'ℴ',
  },
  fraktur: { C: 'ℭ', H: 'ℌ', I: 'ℑ', R: 'ℜ', Z: 'ℨ' },
  'double-struck': { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' },
};

/** Letters in a look by their own code points: browsers know only these, not `mathvariant`. */
export function mathLetters(text: string, variant: string): string {
  const alphabet = Object.hasOwn(alphabets, variant) ? alphabets[variant] : undefined;
  if (!alphabet) return text;
  return text.replaceAll(/[A-Za-z0-9]/g, (letter) => {
    const known = older[variant]?.[letter];
    if (known !== undefined) return known;
    if (/\d/.test(letter)) return shift(letter, '0', alphabet.digits);
    return /[A-Z]/.test(letter)
      ? shift(letter, 'A', alphabet.upper)
      : shift(letter, 'a', alphabet.lower);
  });
}

function shift(letter: string, first: string, base: number | undefined): string {
  if (base === undefined) return letter;
  return String.fromCodePoint(base + letter.charCodeAt(0) - first.charCodeAt(0));
}
