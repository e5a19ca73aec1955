import { isSecretName } from '../text/address-secrets.ts';
import { isJsonObject, type Json, type JsonObject } from '../vocabulary/json.ts';

/** A value that a person has to give before a server can be used. */
export interface ImportQuestion {
  /** What stands between `${` and `}`, without a default; or the words that stand for a value. */
  id: string;
  label?: string;
  secret: boolean;
  default?: string;
  options?: string[];
  /** Without a value, what it stands in is left out. */
  optional?: true;
  /** It is used where values are stored as they are and shown, such as an argument. */
  inClear: boolean;
}

/**
 * `${NAME}`, and what documents write where a reader has to put something of their own: `<YOUR_TOKEN>`,
 * `YOUR_API_KEY`, `your-key-here`, `CHANGE_ME`, `ghp_xxxx`, `/path/to/folder`.
 */
const placeholder = new RegExp(
  [
    String.raw`\$\{([^\${}]{1,200})\}`,
    String.raw`<[A-Za-z][\w .-]{1,60}>`,
    String.raw`\b(?:[A-Za-z0-9]{1,10}[-_]){0,4}(?:YOUR|INSERT|ENTER)[-_][A-Z0-9]+(?:[-_][A-Z0-9]+)*\b`,
    String.raw`\b(?:[A-Za-z0-9]{1,10}[-_]){0,4}your[-_][a-z0-9]+(?:[-_][a-z0-9]+)*\b`,
    String.raw`\b(?:CHANGE|REPLACE)[-_]?ME\b`,
    String.raw`\b(?:[A-Za-z0-9]{1,10}[-_]){0,4}[xX]{4,40}(?:[-_][xX]{1,40}){0,5}\b`,
    String.raw`((?:[A-Za-z]:)?[\\/](?:absolute[\\/])?path[\\/]to(?:[\\/][\w.@ -]+)*)`,
    String.raw`([\\/](?:Users|home)[\\/](?:username|yourname|you)(?:[\\/][\w.@ -]+)*)`,
  ].join('|'),
  'g',
);

/** What becomes of values under these names: they are sealed, or can refer to a sealed one. */
const places = new Map<string, Place>([
  ...['env', 'environment', 'headers', 'auth', 'secrets'].map((key) => [key, 'sealed'] as const),
  ...['args', 'url', 'serverUrl', 'httpUrl', 'baseUrl'].map((key) => [key, 'refers'] as const),
]);
type Place = 'clear' | 'sealed' | 'refers';

/** The questions in an entry; `declared` are the `inputs` of VS Code, which explain some of them. */
export function findQuestions(fields: JsonObject, declared: readonly unknown[]): ImportQuestion[] {
  const found = new Map<string, ImportQuestion>();
  mapPlaceholders(fields, (whole, { id, fallback, key, place, canRefer }) => {
    const label = place === 'sealed' && whole === id ? key : undefined;
    const known = found.get(id) ?? toQuestion({ id, fallback, key, label }, declared);
    const isHidden = place === 'sealed' || (canRefer && known.secret);
    found.set(id, { ...known, inClear: known.inClear || !isHidden });
    return whole;
  });
  return [...found.values()];
}

/**
 * The entry with the answers in place of the questions. An answer is text and nothing more. A secret that would be
 * shown, in an argument for example, becomes a named secret of the server that the argument refers to.
 */
export function fillIn(
  fields: JsonObject,
  answers: ReadonlyMap<string, string>,
  questions: readonly ImportQuestion[],
): JsonObject {
  const secrets: NamedSecrets = new Map();
  const filled = mapPlaceholders(fields, (whole, { id, canRefer }) => {
    const answer = answers.get(id);
    const isLeft = answer === undefined || answer === '';
    if (isLeft && questions.some((question) => question.id === id && question.optional))
      return leftOut;
    if (answer === undefined) return whole;
    if (!canRefer || !questions.some((question) => question.id === id && question.secret))
      return answer;
    const name = [...secrets].find(([, secret]) => secret.id === id)?.[0] ?? freeName(id, secrets);
    secrets.set(name, { id, value: answer });
    return `\${secret:${name}}`;
  });
  const kept = withoutLeftOut(filled) as JsonObject;
  if (secrets.size === 0) return kept;
  const own = isJsonObject(kept.secrets) ? kept.secrets : {};
  const given = [...secrets].map(([name, { value }]) => [name, value] as const);
  return { ...kept, secrets: { ...own, ...Object.fromEntries(given) } };
}

/** Marks a text in which an optional value is missing: no text of a person has this sign. */
const leftOut = '\uFDD0';

function withoutLeftOut(value: Json): Json {
  const isKept = (item: Json) => typeof item !== 'string' || !item.includes(leftOut);
  if (Array.isArray(value)) return value.filter(isKept).map(withoutLeftOut);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, item]) => isKept(item));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutLeftOut(item)]));
}

type NamedSecrets = Map<string, { id: string; value: string }>;

/** A name for the answer to a question: the last part of its id, unless another question has that. */
function freeName(id: string, taken: NamedSecrets): string {
  const words = id.replace(/^(?:input|env|secret):/, '').replace(/^.*\.(?=.)/, '');
  const name = words
    .replaceAll(/\W+/g, '_')
    .replace(/^[_\d]+/, '')
    .slice(0, 90);
  const wanted = name.replace(/_+$/, '') || 'SECRET';
  let free = wanted;
  for (let count = 2; taken.has(free); count += 1) free = `${wanted}_${count}`;
  return free;
}

interface Found {
  id: string;
  fallback?: string | undefined;
  /** What the value is called that it stands in. */
  key: string;
  place: Place;
  /** Whether `${secret:…}` can stand there. */
  canRefer: boolean;
}

function mapPlaceholders(
  fields: JsonObject,
  change: (whole: string, found: Found) => string,
): JsonObject {
  const own = isJsonObject(fields.secrets) ? fields.secrets : {};
  const isOwn = (name = '') => name.startsWith('secret:') && Object.hasOwn(own, name.slice(7));
  return mapTexts(fields, (text, key, place) => {
    if (place === 'clear' && !text.includes('${')) return text;
    return text.replaceAll(placeholder, (whole, ...[inner, path, home, at]: Groups) => {
      if (isOwn(inner)) return whole;
      const canRefer = place === 'refers' && at >= originLength(text);
      const words = { id: whole, fallback: path ?? home };
      return change(whole, {
        ...(inner === undefined ? words : split(inner)),
        key,
        place,
        canRefer,
      });
    });
  }) as JsonObject;
}

/** What a match holds besides its words: a name, one of two kinds of paths, and where it stands. */
type Groups = [
  inner: string | undefined,
  path: string | undefined,
  home: string | undefined,
  at: number,
  ...unknown[],
];

/** How much of an address says where it leads: there, only plain text can stand. */
function originLength(text: string): number {
  return /^https?:\/\/[^/?#]*/i.exec(text)?.[0].length ?? 0;
}

/** `NAME:-value` gives a default, as shells write it. */
function split(inner: string): { id: string; fallback?: string } {
  const at = inner.indexOf(':-');
  return at < 0 ? { id: inner } : { id: inner.slice(0, at), fallback: inner.slice(at + 2) };
}

function toQuestion(
  {
    id,
    fallback,
    key,
    label,
  }: Pick<Found, 'id' | 'fallback' | 'key'> & { label?: string | undefined },
  declared: readonly unknown[],
): ImportQuestion {
  const input = declared.find(
    (one) =>
      isJsonObject(one) && id === (typeof one.id === 'string' ? `input:${one.id}` : undefined),
  );
  const {
    description,
    password,
    default: said,
    options,
    optional,
  } = isJsonObject(input) ? input : {};
  const value = typeof said === 'string' ? said : fallback;
  const choices = Array.isArray(options) ? options.flatMap(toChoice) : [];
  return {
    id,
    ...(label !== undefined && { label }),
    ...(typeof description === 'string' && { label: description.slice(0, 1000) }),
    secret: password === true || (input === undefined && (isSecretName(id) || isSecretName(key))),
    ...(value !== undefined && { default: value }),
    ...(choices.length > 0 && { options: choices.slice(0, 100) }),
    ...(optional === true && { optional }),
    inClear: false,
  };
}

function toChoice(option: Json): string[] {
  if (typeof option === 'string') return [option];
  return isJsonObject(option) && typeof option.value === 'string' ? [option.value] : [];
}

function mapTexts(
  value: Json,
  change: (text: string, key: string, place: Place) => string,
  key = '',
  place: Place = 'clear',
): Json {
  if (typeof value === 'string') return change(value, key, place);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, key, place));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      mapTexts(item, change, name, place === 'clear' ? (places.get(name) ?? 'clear') : place),
    ]),
  );
}
