/** What a server's refusal says about the credentials it wants. */
export interface AuthenticateHeader {
  /** It takes tokens bound to a key (RFC 9449). */
  dpop: boolean;
  resourceMetadata?: string | undefined;
  scope?: string[] | undefined;
  error?: string | undefined;
}

interface ParsedChallenge {
  scheme: string;
  parameters: Map<string, string>;
}

const maxHeaderChars = 16_384;
const token = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const quotedString = /"((?:[^"\\]|\\.)*)"/y;
const equals = /[ \t]*=[ \t]*/y;
const token68 = /[ \t]+[A-Za-z0-9._~+/-]+=*(?=[ \t]*(?:,|$))/y;
const separators = /[ \t\r\n,]+/y;

/**
 * Reads `WWW-Authenticate`, which may hold several challenges. Other schemes are passed over; of
 * several that concern us the first to name a thing counts. Anything unreadable is as if not said.
 */
export function readAuthenticateHeader(header: string | undefined): AuthenticateHeader {
  const challenges = parseChallenges(header ?? '').filter(({ scheme }) =>
    ['bearer', 'dpop'].includes(scheme),
  );
  const first = (name: string): string | undefined =>
    challenges.find(({ parameters }) => parameters.has(name))?.parameters.get(name);
  const scope = first('scope');
  return {
    dpop: challenges.some(({ scheme }) => scheme === 'dpop'),
    resourceMetadata: first('resource_metadata'),
    scope: scope === undefined ? undefined : splitScope(scope),
    error: first('error'),
  };
}

const scopeToken = /^[\u0021\u0023-\u005b\u005d-\u007e]{1,256}$/;
const maxScopes = 100;

/** The scopes of a list, each once, in order; what cannot be a scope is left out. */
export function splitScope(text: string): string[] {
  const names = text.split(' ').filter((name) => scopeToken.test(name));
  return [...new Set(names)].slice(0, maxScopes);
}

function parseChallenges(header: string): ParsedChallenge[] {
  if (header.length > maxHeaderChars) return [];
  const challenges: ParsedChallenge[] = [];
  let position = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(header);
    if (match) position = pattern.lastIndex;
    return match;
  };
  while (position < header.length) {
    read(separators);
    const name = read(token)?.[0].toLowerCase();
    if (name === undefined) break;
    const current = challenges.at(-1);
    if (current && read(equals)) {
      const value = read(quotedString)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? read(token)?.[0];
      if (value === undefined) break;
      if (!current.parameters.has(name)) current.parameters.set(name, value);
    } else {
      challenges.push({ scheme: name, parameters: new Map() });
      read(token68);
    }
  }
  return challenges;
}
