/** A path with its values escaped. */
export function at(strings: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: strings }, ...values.map((value) => encodeURIComponent(value)));
}
