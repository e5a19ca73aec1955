/** A path with its values escaped. */
export function at(strings: TemplateStringsArray, ...values: (string | number)[]): string {
  return String.raw({ raw: strings }, ...values.map((value) => encodeURIComponent(value)));
}

/** A query with the values that are set. */
export function queryOf(values: object): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
}
