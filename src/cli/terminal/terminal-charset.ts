import { languageOf } from '../messages/tell.ts';

/** What a terminal reads, by the locale it names; one that names none reads UTF-8, as nearly all do. */
export function charsetOf(env: NodeJS.ProcessEnv): 'utf-8' | 'ascii' {
  if (languageOf(env) === 'zh') return 'utf-8';
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find(Boolean);
  return locale === undefined || /utf-?8/i.test(locale) ? 'utf-8' : 'ascii';
}

/**
 * A text for a terminal that reads another charset: there the bytes of UTF-8 would be commands, and
 * could hide what follows. Marks stay marks, everything else beyond ASCII becomes one.
 */
export function asciiText(text: string): string {
  return text
    .replaceAll('⟨', '<')
    .replaceAll('⟩', '>')
    .replaceAll(/[^\0-\u007F]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
    });
}
