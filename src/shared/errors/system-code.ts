/** The name that the system or Node gave an error, such as `ENOENT`; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
