import { isSecretName } from '../text/address-secrets.ts';
import { isJsonObject, type Json, type JsonObject } from '../vocabulary/json.ts';
import { isName, placeholder } from './placeholder-words.ts';

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
    const asked = toQuestion({ id, fallback, key, label }, declared);
    // A value that was left empty may stay so.
    const known = found.get(id) ?? { ...asked, ...(whole === '' && { optional: true as const }) };
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
  const kept = withoutOmitted(filled) as JsonObject;
  if (secrets.size === 0) return kept;
  const own = isJsonObject(kept.secrets) ? kept.secrets : {};
  const given = [...secrets].map(([name, { value }]) => [name, value] as const);
  return { ...kept, secrets: { ...own, ...Object.fromEntries(given) } };
}

/** Marks a text in which an optional value is missing: no text of a person has this sign. */
const leftOut = '\uFDD0';

function withoutOmitted(value: Json): Json {
  const isKept = (item: Json) => typeof item !== 'string' || !item.includes(leftOut);
  if (Array.isArray(value)) return value.filter(isKept).map(withoutOmitted);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, item]) => isKept(item));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutOmitted(item)]));
}

type NamedSecrets = Map<string, { id: string; value: string }>;

/** A name for the answer to a question: the last part of its id, unless another question has that. */
function freeName(id: string, taken: NamedSecrets): string {
  // Of an address with a password, only what kind it is.
  const address = /^(\w+):\/\//.exec(id)?.[1];
  const words = address
    ? `${address}_credentials`
    : id.replace(/^(?:input|env|secret):/, '').replace(/^.*\.(?=.)/, '');
  const name = words
    .replaceAll(/\W+/g, '_')
    .replace(/^[_\d]+/, '')
    .slice(0, 90);
  const wanted = name.replace(/_+$/, '') || 'SECRET';
  let free = wanted;
  for (let count = 2; taken.has(free); count += 1) free = `${wanted}_${count}`;
  return free;
}

interface Placeholder {
  id: string;
  fallback?: string | undefined;
  /** What the value is called that it stands in. */
  key: string;
  /** The variable, header or option whose value it is; empty where it has none. */
  name: string;
  place: Place;
  /** Whether it is one part of the path of a file. */
  inPath: boolean;
  /** Whether `${secret:…}` can stand there. */
  canRefer: boolean;
}

/** Changes everything in an entry that stands for a value, also one that was left empty. */
export function mapPlaceholders(
  fields: JsonObject,
  change: (whole: string, found: Placeholder) => string,
): JsonObject {
  const own = isJsonObject(fields.secrets) ? fields.secrets : {};
  const isOwn = (name = '') => name.startsWith('secret:') && Object.hasOwn(own, name.slice(7));
  return mapTexts(fields, (text, key, place) => {
    if (text === '' && place === 'sealed' && key !== '')
      return change(text, { id: key, key, name: key, place, inPath: false, canRefer: false });
    if (place === 'sealed' && isName(text) && text.search(placeholder) < 0)
      return change(text, { id: text, key, name: key, place, inPath: false, canRefer: false });
    const isWord = place !== 'clear' || key === 'command' || key === 'cwd';
    if (!isWord && !text.includes('${')) return text;
    return text.replaceAll(placeholder, (whole, ...[inner, path, home, at]: Groups) => {
      if (isOwn(inner)) return whole;
      const canRefer = place === 'refers' && at >= originLength(text);
      const words = { id: whole, fallback: path ?? home };
      return change(whole, {
        ...(inner === undefined ? words : split(inner)),
        key,
        name: place === 'clear' || places.has(key) ? '' : key,
        place,
        inPath: /[\\/]$/.test(text.slice(0, at)) && !/^\w+:\/\//.test(text),
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
  }: Pick<Placeholder, 'id' | 'fallback' | 'key'> & { label?: string | undefined },
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
    secret: password === true || (input === undefined && standsForSecret(id, key)),
    ...(value !== undefined && { default: value }),
    ...(choices.length > 0 && { options: choices.slice(0, 100) }),
    ...(optional === true && { optional }),
    inClear: false,
  };
}

/** An address with a password in it is one, the path of a file with a key is none. */
function standsForSecret(id: string, key: string): boolean {
  if (/:\/\/[^/@]*:[^/@]*@/.test(id)) return true;
  // Before it, some say for which server.
  const own = id.replace(/^.*: /, '');
  return !/[\\/]/.test(own) && (isSecretName(own) || isSecretName(key));
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
  if (Array.isArray(value))
    return value.map((item, at) =>
      mapTexts(item, change, optionName(value[at - 1], item) ?? key, place),
    );
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      mapTexts(item, change, name, place === 'clear' ? (places.get(name) ?? 'clear') : place),
    ]),
  );
}

/** What a word of a command line is called: by its option, before it or in the same word, or by its variable. */
function optionName(before: Json | undefined, word: Json): string | undefined {
  if (typeof word !== 'string') return undefined;
  const own = /^(?:--([\w-]+)|([A-Z][A-Z0-9_]+))=/.exec(word);
  if (own) return own[1] ?? own[2];
  return typeof before === 'string' ? /^--([\w-]+)$/.exec(before)?.[1] : undefined;
}
