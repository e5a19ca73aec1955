import { say } from './sentence.ts';

/** What our own schemas say where zod has no words for it; schemas take the text, readers find the id by it. */
export const schemaWords = {
  invisible: say('name-invisible')`Names can't contain invisible characters.`,
  pointer: say('pointer-form')`A JSON pointer must be empty or start with a slash.`,
  assertion: say('one-assertion')`Use either assertion or assertionFile.`,
};
