import { hiddenSecret, truncate } from '#shared/text/text.ts';

/** However it is written: `client_secret`, `accessToken`, `set-cookie`. A mere key names many things. */
const secretName = /(?:^key|apikey|authorization|cookie|password|secret|token)$/;
const bearer = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;
const maxDepth = 6;
const maxTextChars = 8_192;

/** Fields of a line of the log without what is named like a secret, or looks like one. */
export function redactFields(fields: object): object {
  return redact(fields, 0) as object;
}

/** The same for a text. */
export function redactText(text: string): string {
  return truncate(text, maxTextChars).replace(bearer, `$1 ${hiddenSecret}`);
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '…';
  if (Array.isArray(value)) return value.map((each) => redact(each, depth + 1));
  const own = value instanceof Error ? { name: value.name, message: value.message } : value;
  return Object.fromEntries(
    Object.entries(own).map(([name, field]) => [
      name,
      isSecretName(name) ? hiddenSecret : redact(field, depth + 1),
    ]),
  );
}

/** Of each name of a field: most lines have the same few. Bounded, since some are those of servers. */
const judged = new Map<string, boolean>();
const maxJudged = 1_000;

function isSecretName(name: string): boolean {
  let isSecret = judged.get(name);
  if (isSecret !== undefined) return isSecret;
  isSecret = secretName.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''));
  if (judged.size < maxJudged) judged.set(name, isSecret);
  return isSecret;
}
