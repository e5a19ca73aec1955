import type { z } from 'zod';
import { schemaWords } from './schema-words.ts';
import { counted, say, type Words } from './sentence.ts';
import { typeWords } from './type-words.ts';

/** What is wrong with a value by its schema, to follow the name of the value: zod's own English is for developers. */
export function issueWords(issue: z.core.$ZodIssue): Words {
  const { message } = issue;
  const own = Object.values(schemaWords).find(({ text }) => text === message);
  if (own) return own;
  switch (issue.code) {
    case 'invalid_type':
      if (message.endsWith('undefined')) return say('issue-missing')`is missing`;
      return typeWords([issue.expected === 'int' ? 'integer' : issue.expected]);
    case 'too_small':
      return leastWords(issue.origin, Number(issue.minimum), issue.inclusive !== false);
    case 'too_big':
      return mostWords(issue.origin, Number(issue.maximum), issue.inclusive !== false);
    case 'invalid_format':
      return issue.format === 'url'
        ? say('url-none')`isn't a URL`
        : say('issue-format')`has the wrong format`;
    case 'invalid_value':
      return say('must-be-one-of')`must be one of ${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return say('issue-keys')`has unknown fields: ${issue.keys.join(', ')}`;
    default:
      return say('issue-invalid')`isn't valid`;
  }
}

function leastWords(origin: string, least: number, inclusive: boolean): Words {
  if (origin === 'string')
    return say('text-least')`must be at least ${counted(least, 'character')} long`;
  if (isList(origin)) return say('items-least')`must have at least ${counted(least, 'item')}`;
  return inclusive
    ? say('at-least')`must be at least ${least}`
    : say('more-than')`must be more than ${least}`;
}

function mostWords(origin: string, most: number, inclusive: boolean): Words {
  if (origin === 'string')
    return say('text-most')`must be at most ${counted(most, 'character')} long`;
  if (isList(origin)) return say('items-most')`must have at most ${counted(most, 'item')}`;
  return inclusive
    ? say('at-most')`must be at most ${most}`
    : say('less-than')`must be less than ${most}`;
}

function isList(origin: string): boolean {
  return origin === 'array' || origin === 'set';
}
