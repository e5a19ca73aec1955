import type { z } from 'zod';
import { schemaWords } from './schema-words.ts';
import { sayAs, type Words } from './sentence.ts';

/** What is wrong with a value by its schema, as words: the English is zod's own, or the schema's. */
export function issueWords(issue: z.core.$ZodIssue): Words {
  const { message } = issue;
  const own = Object.values(schemaWords).find(({ text }) => text === message);
  if (own) return own;
  switch (issue.code) {
    case 'invalid_type':
      if (message.endsWith('undefined')) return sayAs('issue-missing', 'is missing');
      return sayAs('issue-type', message, issue.expected);
    case 'too_small':
      return isCount(issue.origin)
        ? sayAs('issue-few', message, Number(issue.minimum))
        : sayAs('issue-small', message, Number(issue.minimum));
    case 'too_big':
      return isCount(issue.origin)
        ? sayAs('issue-many', message, Number(issue.maximum))
        : sayAs('issue-large', message, Number(issue.maximum));
    case 'invalid_format':
      return sayAs('issue-format', message, issue.format);
    case 'invalid_value':
      return sayAs('issue-value', message, issue.values.map(String).join(', '));
    case 'unrecognized_keys':
      return sayAs('issue-keys', message, issue.keys.join(', '));
    default:
      return message;
  }
}

/** Whether a bound is one of characters or entries. */
function isCount(origin: string): boolean {
  return origin === 'string' || origin === 'array' || origin === 'set';
}
