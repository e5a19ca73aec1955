import { counted, say } from './sentence.ts';

/** What our own schemas say, to follow the name of a value; schemas take the text, readers find the id by it. */
export const schemaWords = {
  invisible: say('name-invisible')`can't contain invisible characters`,
  pointer: say('pointer-form')`must be empty or start with a slash`,
  entries: say('items-most')`must have at most ${counted(5000, 'item')}`,
  assertion: say('one-assertion')`must have either assertion or assertionFile`,
};
