import { isSecretName } from '../text/address-secrets.ts';
import { isJsonObject, type Json, type JsonObject } from '../vocabulary/json.ts';

/** A value that a person has to give before a server can be used. */
export interface ImportQuestion {
  /** What stands between `${` and `}`, without a default. */
  id: string;
  label?: string;
  secret: boolean;
  default?: string;
  options?: string[];
  /** It is used where values are stored as they are and shown, such as an argument. */
  inClear: boolean;
}

const placeholder = /\$\{([^${}]{1,200})\}/g;
/** Values under these names are stored sealed. */
const sealed = new Set(['env', 'environment', 'headers', 'auth']);

/** The questions in an entry; `declared` are the `inputs` of VS Code, which explain some of them. */
export function findQuestions(fields: JsonObject, declared: readonly unknown[]): ImportQuestion[] {
  const found = new Map<string, ImportQuestion>();
  mapTexts(fields, (text, isSealed) => {
    for (const [, inner = ''] of text.matchAll(placeholder)) {
      const { id, fallback } = split(inner);
      const known = found.get(id) ?? toQuestion(id, fallback, declared);
      found.set(id, { ...known, inClear: known.inClear || !isSealed });
    }
    return text;
  });
  return [...found.values()];
}

/** The entry with the answers in place of the questions. An answer is text and nothing more. */
export function fillIn(fields: JsonObject, answers: ReadonlyMap<string, string>): JsonObject {
  const fill = (text: string) =>
    text.replaceAll(placeholder, (whole, inner: string) => answers.get(split(inner).id) ?? whole);
  return mapTexts(fields, fill) as JsonObject;
}

/** `NAME:-value` gives a default, as shells write it. */
function split(inner: string): { id: string; fallback?: string } {
  const at = inner.indexOf(':-');
  return at < 0 ? { id: inner } : { id: inner.slice(0, at), fallback: inner.slice(at + 2) };
}

function toQuestion(
  id: string,
  fallback: string | undefined,
  declared: readonly unknown[],
): ImportQuestion {
  const input = declared.find(
    (one) =>
      isJsonObject(one) && id === (typeof one.id === 'string' ? `input:${one.id}` : undefined),
  );
  const { description, password, default: said, options } = isJsonObject(input) ? input : {};
  const value = typeof said === 'string' ? said : fallback;
  const choices = Array.isArray(options) ? options.flatMap(toChoice) : [];
  return {
    id,
    ...(typeof description === 'string' && { label: description.slice(0, 1000) }),
    secret: password === true || (input === undefined && isSecretName(id)),
    ...(value !== undefined && { default: value }),
    ...(choices.length > 0 && { options: choices.slice(0, 100) }),
    inClear: false,
  };
}

function toChoice(option: Json): string[] {
  if (typeof option === 'string') return [option];
  return isJsonObject(option) && typeof option.value === 'string' ? [option.value] : [];
}

function mapTexts(
  value: Json,
  change: (text: string, isSealed: boolean) => string,
  isSealed = false,
): Json {
  if (typeof value === 'string') return change(value, isSealed);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, isSealed));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      mapTexts(item, change, isSealed || sealed.has(key)),
    ]),
  );
}
