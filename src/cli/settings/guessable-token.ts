import { say, type Sentence } from '#shared/errors/sentence.ts';
/** Bits that a token must have at least, so that trying them all takes longer than anybody lives. */
const enough = 64;
const shortest = 16;
/** Different characters. */
const fewest = 8;

/** What people write where they should let a machine choose; also found in the middle and in other letters. */
const words = [
  'administrator',
  'admin',
  'cerise',
  'changeme',
  'change',
  'default',
  'example',
  'letmein',
  'local',
  'monkey',
  'openssl',
  'password',
  'passwort',
  'please',
  'private',
  'qwertyuiop',
  'random',
  'rand',
  'qwerty',
  'asdfgh',
  'secret',
  'server',
  'super',
  'test',
  'token',
  'welcome',
  'your',
  'key',
];
const sequences = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'zyxwvutsrqponmlkjihgfedcba',
];
const alike: Record<string, string> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

/** Why a token could be guessed; undefined if it could not. */
export function guessable(token: string): Sentence | undefined {
  if (token.length < shortest)
    return say('cli-token-short')`it has fewer than ${shortest} characters`;
  if (/\s/.test(token)) return say('cli-token-spaces')`it contains spaces`;
  const rest = withoutRepeats(withoutSequences(withoutWords(token)));
  if (bitsOf(rest) < enough || new Set(rest).size < fewest)
    return say('cli-token-words')`it contains words, repetitions or too few different characters`;
  return undefined;
}

/** A known word counts as one character. */
function withoutWords(token: string): string {
  let text = token;
  for (const word of words) {
    for (;;) {
      const at = plain(text).indexOf(word);
      if (at === -1) break;
      text = `${text.slice(0, at)}\u0000${text.slice(at + word.length)}`;
    }
  }
  return text;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[013457@$]/g, (letter) => alike[letter] ?? letter);
}

/** Four characters or more in the order of the alphabet or of the digits count as one. */
function withoutSequences(text: string): string {
  let made = '';
  for (let at = 0; at < text.length;) {
    let length = 4;
    const isRun = (): boolean => {
      const part = text.slice(at, at + length).toLowerCase();
      return part.length === length && sequences.some((each) => each.includes(part));
    };
    if (isRun()) {
      while (isRun()) length += 1;
      at += length - 1;
      made += '\u0001';
    } else {
      made += text[at];
      at += 1;
    }
  }
  return made;
}

/** What stands there a second time, in a row or later, counts once: `abcabcabc` is `abc`. */
function withoutRepeats(text: string): string {
  let made = '';
  for (let at = 0; at < text.length;) {
    const part = text.slice(at, at + 3);
    if (part.length === 3 && made.includes(part)) at += 3;
    else {
      if (made.at(-1) !== text[at]) made += text[at];
      at += 1;
    }
  }
  return made;
}

function bitsOf(text: string): number {
  return text.length * Math.log2(alphabetOf(text));
}

/** How many characters a guesser would have to try for each place. */
function alphabetOf(text: string): number {
  const kinds: [RegExp, number][] = [
    [/[0-9]/, 10],
    [/[a-f]/, 6],
    [/[g-z]/, 20],
    [/[A-F]/, 6],
    [/[G-Z]/, 20],
    [/[^0-9a-zA-Z]/, 10],
  ];
  const size = kinds.reduce((sum, [kind, each]) => sum + (kind.test(text) ? each : 0), 0);
  return Math.max(2, size);
}
