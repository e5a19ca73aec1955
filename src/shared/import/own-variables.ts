import { isSecretName } from '../text/address-secrets.ts';
import { isJsonObject, type JsonObject } from '../vocabulary/json.ts';

/** `${NAME}`, `${env:NAME}` or `$NAME`. */
const reference = /\$(?:\{(?:env:)?(\w+)\}|([A-Z][A-Z0-9_]{2,60})\b)/g;

/**
 * Arguments often repeat a variable of the same entry (`--header Authorization:${AUTH_HEADER}`): they get its value,
 * which is asked for once. A secret stays out of them: they refer to it.
 */
export function withOwnVariables(fields: JsonObject): JsonObject {
  const { args, env } = fields;
  if (!Array.isArray(args) || !isJsonObject(env)) return fields;
  const secrets: JsonObject = {};
  const filled = args.map((word) => {
    if (typeof word !== 'string') return word;
    return word.replaceAll(reference, (whole, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? '';
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      if (typeof value !== 'string' || isNumbered(value, name)) return whole;
      if (!isSecretName(name)) return value;
      secrets[name] = value;
      return `\${secret:${name}}`;
    });
  });
  const own = isJsonObject(fields.secrets) ? fields.secrets : {};
  const all = { ...secrets, ...own };
  return { ...fields, args: filled, ...(Object.keys(all).length > 0 && { secrets: all }) };
}

/** An export of ours numbers a variable that has the name of a secret with another value. */
function isNumbered(value: string, name: string): boolean {
  return value.startsWith(`\${${name}_`) && /_\d+\}$/.test(value);
}
