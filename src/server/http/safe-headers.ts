const safe = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
/** Responses that were made with them: only to look at the headers of one costs more than to write them. */
const made = new WeakSet<Response>();

/** A JSON answer that has the headers below from the start, for what is answered often. */
export function safeJson(body: object, status: number): Response {
  const headers = { 'content-type': 'application/json', ...safe };
  const response = new Response(JSON.stringify(body), { status, headers });
  made.add(response);
  return response;
}

/**
 * No answer is guessed at by a browser, and none is kept by anybody unless it says so itself, as the files
 * of the page and the bytes of a blob do.
 */
export function withSafeHeaders(response: Response): Response {
  if (made.has(response)) return response;
  const { headers } = response;
  for (const [name, value] of Object.entries(safe))
    if (!headers.has(name)) headers.set(name, value);
  return response;
}
