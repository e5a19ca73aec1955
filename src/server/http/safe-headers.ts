/**
 * No answer is guessed at by a browser, and none is kept by anybody unless it says so itself, as the files
 * of the page and the bytes of a blob do.
 */
export function withSafeHeaders(response: Response): Response {
  const { headers } = response;
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  if (!headers.has('x-content-type-options')) headers.set('x-content-type-options', 'nosniff');
  return response;
}
