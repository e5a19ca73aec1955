import { say } from './sentence.ts';

/** What our own schemas say where zod has no words for it; schemas take the text, readers find the id by it. */
export const schemaWords = {
  invisible: say('name-invisible')`A name has no invisible characters.`,
  pointer: say('pointer-form')`A JSON pointer is empty or begins with a slash.`,
  assertion: say('one-assertion')`Give either assertion or assertionFile.`,
};
