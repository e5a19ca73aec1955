import { type ErrorInfo, hintOf, messageOf, vendorWords } from '#shared/errors/errors.ts';
import { joinWords, sayIn, type Words } from '#shared/errors/sentence.ts';
import { zhHost } from '#shared/messages/zh-host.ts';
import { programName } from './program-name.ts';
import { zhCli } from './zh.ts';

const sentences = { en: {}, zh: { ...zhHost, ...zhCli } };

/** The language of the terminal: `CERISE_LANG`, else the locale of messages; English unless that is Chinese. */
export function languageOf(env: NodeJS.ProcessEnv): keyof typeof sentences {
  const locale = [env['CERISE_LANG'], env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find(Boolean);
  return /^zh(?!\w*\.(?!utf-?8))/i.test(locale ?? '') ? 'zh' : 'en';
}

let language = languageOf(process.env);

/** Speaks the language of this environment from here on: a command has one terminal. */
export function speakAs(env: NodeJS.ProcessEnv): void {
  language = languageOf(env);
}

/** Words in the language of the terminal, by the ids of their sentences. */
export function tell(words: Words): string {
  return sayIn(sentences[language], words);
}

const command =
  /\bcerise (?=(?:acp|backup|chat|completion|config|doctor|eval|help|logs|mcp|models|replay|restore|secrets|serve|sign-in|tools|topics)\b)/g;

/**
 * An error with its advice, in the language of the terminal, and what the vendor of the model said; commands in it can
 * be typed as printed.
 */
export function tellError(error: Omit<ErrorInfo, 'code'>): string {
  const text = tell(joinWords(messageOf(error), hintOf(error)));
  const own = text.replaceAll(command, () => `${programName()} `);
  return [own, vendorWords(error)].filter(Boolean).join(' ');
}
