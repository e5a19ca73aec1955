import type { JsonObject } from '#shared/vocabulary/json.ts';
import type { ArgumentsDraft } from '../../../state/inbox/arguments-drafts.ts';
import { checkForm, type FormErrors } from '../../form/check-form.ts';
import type { Schema } from '../../form/form-node.ts';
import { toJsonText } from '../../form/unread.ts';
import { readArguments } from './read-arguments.ts';

/** The arguments as they stand; undefined while the JSON is none. */
export function draftArguments(draft: ArgumentsDraft): JsonObject | undefined {
  return draft.mode === 'form' ? draft.value : readArguments(draft.text);
}

/** What is wrong with them; nothing where no schema is known, which leaves it to the host. */
export function draftErrors(draft: ArgumentsDraft, schema: Schema | undefined): FormErrors {
  const value = draftArguments(draft);
  return value === undefined || schema === undefined ? {} : checkForm(schema, value);
}

/** The same arguments, to be changed the other way. */
export function inMode(draft: ArgumentsDraft, mode: ArgumentsDraft['mode']): ArgumentsDraft {
  const value = draftArguments(draft);
  if (draft.mode === mode || value === undefined) return draft;
  return mode === 'form' ? { mode, value } : { mode, text: toJsonText(value) };
}
