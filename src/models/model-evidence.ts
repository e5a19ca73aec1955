/** What can be known of a failure, whatever shape it came in. */
export interface Evidence {
  status?: number;
  name: string;
  message: string;
  /** Codes of the error and its causes, and the vendor's `code` and `type`. */
  codes: string[];
  /** Where the request went; no path, no credentials. */
  origin?: string;
  headers: Record<string, string>;
}

const maxObjects = 50;

/** Reads an error and its causes: an SDK's error, a vendor's error object, a system error, a text. */
export function gatherEvidence(error: unknown): Evidence {
  const evidence: Evidence = { name: '', message: '', codes: [], headers: {} };
  collect(error, evidence, new Set());
  return evidence;
}

function collect(value: unknown, evidence: Evidence, seen: Set<object>): void {
  if (typeof value === 'string') evidence.message ||= value;
  if (typeof value !== 'object' || value === null || seen.has(value) || seen.size >= maxObjects)
    return;
  seen.add(value);
  const source = value as Record<string, unknown>;
  collectWords(source, evidence);
  collectStatus(source, evidence);
  collectHeaders(source['responseHeaders'], evidence);
  const several = Array.isArray(source['errors']) ? source['errors'].slice(0, 4) : [];
  for (const inner of [source['data'], source['error'], ...several, source['cause']]) {
    collect(inner, evidence, seen);
  }
  collectBody(source['responseBody'], evidence);
}

function collectWords(
  { name, message, code, type, url }: Record<string, unknown>,
  evidence: Evidence,
): void {
  if (typeof name === 'string') evidence.name ||= name;
  if (typeof message === 'string') evidence.message ||= message;
  for (const value of [code, type]) {
    if (typeof value === 'string' && value !== '') evidence.codes.push(value);
  }
  if (typeof url === 'string' && URL.canParse(url)) evidence.origin ??= new URL(url).origin;
}

function collectStatus(
  { statusCode, status, code }: Record<string, unknown>,
  evidence: Evidence,
): void {
  const value = Number(statusCode ?? status ?? code);
  if (Number.isInteger(value) && value >= 400 && value < 600) evidence.status ??= value;
}

function collectHeaders(headers: unknown, evidence: Evidence): void {
  if (typeof headers !== 'object' || headers === null) return;
  for (const [key, value] of Object.entries(headers)) {
    if (typeof value === 'string') evidence.headers[key.toLowerCase()] ??= value;
  }
}

/** Vendors whose error has no `error.message` are still worth quoting. */
function collectBody(body: unknown, evidence: Evidence): void {
  if (typeof body !== 'string' || body.length > 100_000) return;
  const found = /"(?:message|detail|error)"\s*:\s*"((?:[^"\\]|\\.){1,1000})"/.exec(body);
  if (found?.[1] && !evidence.message.includes(found[1])) {
    evidence.message = [evidence.message, found[1]].filter(Boolean).join(': ');
  }
}
