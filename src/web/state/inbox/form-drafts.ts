import type { InputView } from '#shared/api/input-api.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { isUnsure } from '../session/person.ts';
import { secretFields } from './secret-question.ts';

type Form = Extract<InputView, { kind: 'form' }>;

const prefix = 'cerise.form.';

/** Keeps a half-filled form in this tab, without whatever looks like a secret. */
export function storeForm(form: Pick<Form, 'id' | 'message' | 'schema'>, value: JsonObject): void {
  const secret = secretFields(form);
  if (secret === 'all') return;
  const plain = Object.entries(value).filter(([name]) => !secret.has(name));
  try {
    sessionStorage.setItem(prefix + form.id, JSON.stringify(Object.fromEntries(plain)));
  } catch (error) {
    console.warn('The form cannot be kept in this browser.', toErrorInfo(error));
  }
}

/** Forgets the form of a question, or of all questions but these. */
export function dropForms(which: { id: string } | { except: ReadonlySet<string> }): void {
  if ('id' in which) return sessionStorage.removeItem(prefix + which.id);
  for (const id of storedIds()) if (!which.except.has(id)) sessionStorage.removeItem(prefix + id);
}

/** The forms that were begun in this tab, by the ids of their questions. */
export function readForms(): Record<string, JsonObject> {
  if (isUnsure(sessionStorage)) return {};
  return Object.fromEntries(
    storedIds().flatMap((id) => {
      const value = parse(sessionStorage.getItem(prefix + id) ?? '');
      return value ? [[id, value]] : [];
    }),
  );
}

function storedIds(): string[] {
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));
  return keys.map((key) => key.slice(prefix.length));
}

/** Whatever is no form of ours is none. */
function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
