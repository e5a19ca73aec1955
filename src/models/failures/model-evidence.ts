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
  /** The answer was a web page. */
  isPage?: true;
}

const maxObjects = 50;
/** Enough for any error message; each is searched several times, so it has to be bounded. */
const maxMessageChars = 10_000;
const maxCodeChars = 200;

/** Reads an error and its causes: an SDK's error, a vendor's error object, a system error, a text. */
export function gatherEvidence(error: unknown): Evidence {
  const evidence: Evidence = { name: '', message: '', codes: [], headers: {} };
  collect(error, evidence, new Set());
  return evidence;
}

function collect(value: unknown, evidence: Evidence, seen: Set<object>): void {
  if (typeof value === 'string') evidence.message ||= value.slice(0, maxMessageChars);
  if (typeof value !== 'object' || value === null || seen.has(value) || seen.size >= maxObjects)
    return;
  seen.add(value);
  const source = value as Record<string, unknown>;
  collectWords(source, evidence);
  collectStatus(source, evidence);
  collectHeaders(source['responseHeaders'], evidence);
  collectDelay(source['details'], evidence);
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
  if (typeof name === 'string') evidence.name ||= name.slice(0, maxCodeChars);
  if (typeof message === 'string') evidence.message ||= message.slice(0, maxMessageChars);
  for (const value of [code, type]) {
    // What Anthropic's envelope is called says nothing.
    if (typeof value === 'string' && value !== '' && value !== 'error')
      evidence.codes.push(value.slice(0, maxCodeChars));
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

/** Google says among the details of an error how long to wait, such as `26s`. */
function collectDelay(details: unknown, evidence: Evidence): void {
  for (const detail of Array.isArray(details) ? details.slice(0, maxObjects) : []) {
    const { retryDelay } = (detail ?? {}) as { retryDelay?: unknown };
    const seconds = typeof retryDelay === 'string' ? Number.parseFloat(retryDelay) : Number.NaN;
    if (Number.isFinite(seconds)) evidence.headers['retry-after'] ??= String(seconds);
  }
}

/** Vendors whose error has no `error.message` are still worth quoting. */
function collectBody(body: unknown, evidence: Evidence): void {
  if (typeof body !== 'string' || body.length > 100_000) return;
  if (/^\s*<(!doctype|html)/i.test(body)) evidence.isPage = true;
  const match = /"(?:message|detail|error|msg)"\s*:\s*("(?:[^"\\]|\\.){1,1000}")/.exec(body);
  const quoted = match?.[1] === undefined ? '' : unquote(match[1]);
  if (quoted !== '' && !evidence.message.includes(quoted)) {
    evidence.message = [evidence.message, quoted].filter(Boolean).join(': ');
  }
}

function unquote(json: string): string {
  try {
    return JSON.parse(json) as string;
  } catch {
    return json.slice(1, -1);
  }
}
