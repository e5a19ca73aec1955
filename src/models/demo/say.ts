/** The languages that the demo model speaks. */
export type Locale = 'en-GB' | 'zh-CN';

/** A sentence in the language of the question; it is written in both: `English ‖ 中文`. */
export type Say = (sentence: string | readonly string[], ...values: (string | number)[]) => string;

/** Chinese as soon as there is a Chinese character. */
export function localeOf(text: string): Locale {
  return /\p{Script=Han}/u.test(text) ? 'zh-CN' : 'en-GB';
}

/** Says everything in one language, as a function of a string or as the tag of a template. */
export function sayIn(locale: Locale): Say {
  return (sentence, ...values) => {
    const [english = '', chinese = ''] = [sentence].flat().join('\0').split(' ‖ ');
    const pieces = (locale === 'zh-CN' ? chinese : english).split('\0');
    const skipped = locale === 'zh-CN' ? english.split('\0').length - 1 : 0;
    return pieces.reduce((text, piece, n) => `${text}${values[skipped + n - 1]}${piece}`);
  };
}

/** At most `max` lines of a text, each at most 400 characters, and how many lines there are. */
export function firstLines(text: string, max: number): { shown: string; total: number } {
  const lines = text.split('\n');
  const shown = lines.slice(0, max).map((line) => line.replace(/(?<=^.{400}).+/s, '…'));
  return { shown: shown.join('\n').toWellFormed(), total: lines.length };
}
