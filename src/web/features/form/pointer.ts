/** The JSON pointer (RFC 6901) of a value inside the one at `parent`. */
export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
