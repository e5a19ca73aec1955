import {
  createTranslator,
  type MessageKeys,
  type NestedKeyOf,
  type TranslationValues,
} from 'use-intl/core';
import { en, type Messages } from '#web/messages/en/en.ts';
import { zh } from '#web/messages/zh/zh.ts';
import { hostSentences } from '../fixtures/host-sentences.ts';

type PageTexts = Omit<Messages, 'host'>;
/** By what a text of the page is known, whatever its words are. */
type TextId = MessageKeys<PageTexts, NestedKeyOf<PageTexts>>;

type Locale = 'en' | 'zh';

const messages = { en, zh };
const translators = { en: translatorFor('en'), zh: translatorFor('zh') };

function translatorFor(locale: Locale) {
  return createTranslator<PageTexts>({
    locale,
    messages: messages[locale],
    onError: (error) => {
      throw error;
    },
  });
}

/** What the page says: `t('common.save')`. */
export function t(id: TextId, values: TranslationValues = {}, locale: Locale = 'en'): string {
  return translators[locale](id, values);
}

/** Finds what is called exactly so: `getByRole('button', named('common.save'))`. */
export function named(id: TextId, values?: TranslationValues): { name: string; exact: true } {
  return { name: t(id, values), exact: true };
}

/** No text has this number or this sign of its own: they keep a place until the rest is formatted. */
const numbersFrom = 987_650;
const anything = '\uE000';

/** The whole of a text where not every value is known: a value may be a pattern, and one left out is anything. */
export function textLike(
  id: TextId,
  known: Record<string, string | number | RegExp> = {},
  locale: Locale = 'en',
): RegExp {
  const template = id
    .split('.')
    .reduce<unknown>((part, key) => Reflect.get(Object(part), key), messages[locale]);
  const values: TranslationValues = {};
  const patterns: [place: string, pattern: string][] = [];
  for (const [, name = '', kind] of String(template).matchAll(/\{(\w+)(, (?:plural|number))?/g)) {
    const value = known[name];
    if (name in values) continue;
    if (value !== undefined && !(value instanceof RegExp)) values[name] = value;
    else {
      const place = kind ? numbersFrom + patterns.length : `${anything}${patterns.length}`;
      values[name] = place;
      const pattern = value?.source ?? (kind ? String.raw`[\d,]+` : '.*');
      patterns.push([escape(place.toLocaleString('en')), pattern]);
    }
  }
  let source = escape(t(id, values, locale));
  for (const [place, pattern] of patterns)
    source = source.replaceAll(place, () => `(?:${pattern})`);
  return new RegExp(`^${source}$`, 's');
}

/** Read once, when the first is asked for. */
let sentences: ReturnType<typeof hostSentences> | undefined;

/** A sentence of the host within other words; a gap whose value is left out may hold anything. */
export function hostSays(id: string, ...values: (string | number)[]): RegExp {
  sentences ??= hostSentences();
  const [english] = sentences.get(id) ?? [];
  if (english === undefined) throw new Error(`The host has no sentence ${id}.`);
  const pieces = english.split(/\{(\d+)\}/).map((piece, at) => {
    // The page prints the apostrophes.
    if (at % 2 === 0) return escape(piece).replaceAll("'", "['’]");
    const value = values[Number(piece)];
    return value === undefined ? '.*' : escape(String(value));
  });
  return new RegExp(pieces.join(''), 's');
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
