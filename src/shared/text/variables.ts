import { hiddenSecret } from './text.ts';

/** What a variable may be called. */
export const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/** A reference in a text: `${NAME}`, `${env:NAME}` or `${secret:NAME}`. */
export interface VariableRef {
  name: string;
  /** `env`: a variable of the host. `secret`: a secret of the server. Absent: whichever there is. */
  source?: 'env' | 'secret';
}

const reference = /\$(\$?)\{(?:(env|secret):)?([A-Za-z_][A-Za-z0-9_]{0,99})(?::-([^${}]*))?\}/g;

/**
 * Puts values in the place of references, in one pass: a value is text and is not read again. `${NAME:-text}` has
 * a default, and `$${NAME}` stands for itself. What has no value stays as it is and is reported.
 */
export function expandVariables(
  text: string,
  valueOf: (ref: VariableRef) => string | undefined,
  onMissing: (ref: VariableRef) => void,
): string {
  return text.replaceAll(
    reference,
    (whole, escape: string, source: VariableRef['source'], name: string, fallback?: string) => {
      if (escape !== '') return whole.slice(1);
      const ref = { name, ...(source && { source }) };
      const value = valueOf(ref) ?? fallback;
      if (value === undefined) onMissing(ref);
      return value ?? whole;
    },
  );
}

/** Whether a text has any reference in it. */
export function hasVariables(text: string): boolean {
  return text.search(reference) >= 0;
}

/** What is shown of a text that may be secret: what it refers to, and nothing else. */
export function displayReferences(text: string): string {
  let shown = '';
  let end = 0;
  for (const match of text.matchAll(reference)) {
    const [whole, escape, source, name, fallback] = match;
    if (escape !== '') continue;
    if (match.index > end) shown += hiddenSecret;
    const rest = fallback === undefined ? '' : `:-${hiddenSecret}`;
    shown += `\${${source ? `${source}:` : ''}${name}${rest}}`;
    end = match.index + whole.length;
  }
  return end < text.length || text === '' ? `${shown}${hiddenSecret}` : shown;
}
