const encodedStart = '=?base64?';
const encodedEnd = '?=';
/** Printable ASCII with spaces inside only. Not empty: some HTTP stacks drop an empty header. */
const plainValue = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * A text as the value of an `Mcp-Name` or `Mcp-Param-…` header: as it is where it is plain ASCII,
 * else Base64 between markers. The result never contains what could end a header line.
 */
export function encodeHeaderValue(value: string): string {
  if (plainValue.test(value) && !looksEncoded(value)) return value;
  return encodedStart + Buffer.from(value.toWellFormed()).toString('base64') + encodedEnd;
}

function looksEncoded(value: string): boolean {
  return value.startsWith(encodedStart) && value.endsWith(encodedEnd);
}
