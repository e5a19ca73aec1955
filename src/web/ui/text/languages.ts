/** Languages that a translation is offered in; that of the page goes first. */
const offered = [
  'en',
  'zh-Hans',
  'zh-Hant',
  'ja',
  'ko',
  'es',
  'fr',
  'de',
  'it',
  'pt',
  'ru',
  'ar',
  'hi',
  'id',
  'tr',
  'vi',
] as const;

/** The languages with their names in the language of the page, its own first. */
export function translationLanguages(locale: string): { code: string; name: string }[] {
  const { language } = new Intl.Locale(locale);
  const own = language === 'zh' ? 'zh-Hans' : language;
  const codes = [own, ...offered.filter((code) => code !== own)];
  return codes.map((code) => ({ code, name: languageName(code, locale) }));
}

/** The name of a language in the language of the page; the code itself where there is none. */
export function languageName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code;
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}

/** The language of the page as it is written where the reader lives, for dates and numbers. */
export function regional(
  locale: string,
  preferred: readonly string[] = navigator.languages,
): string {
  const written = (tag: string) => {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  };
  return preferred.find((tag) => written(tag) === written(locale)) ?? locale;
}
