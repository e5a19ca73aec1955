/**
 * A config as it is shown before its values are filled in: `<path>` for `${input:package0.path}`. What is approved is
 * shown as it is.
 */
export function withOpenValues(config: unknown): unknown {
  const { args } = (config ?? {}) as { args?: unknown };
  if (!Array.isArray(args)) return config;
  const shown = args.map((word: unknown) =>
    typeof word === 'string'
      ? word.replaceAll(/\$\{input:(?:[^{}]*\.)?([^{}.]+)\}/g, '<$1>')
      : word,
  );
  return { ...(config as object), args: shown };
}
