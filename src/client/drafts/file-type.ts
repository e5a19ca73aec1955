const textTypes: Record<string, string> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  xml: 'application/xml',
  sql: 'application/sql',
};
const code =
  /^(txt|log|ts|tsx|mts|cts|js|jsx|mjs|cjs|py|rb|rs|go|java|kt|c|h|cc|cpp|hpp|cs|swift|php|sh|bash|zsh|fish|ps1|lua|r|pl|scala|clj|ex|exs|erl|hs|ml|vue|svelte|css|scss|less|ini|cfg|conf|env|tex|rst|diff|patch|jsonl|ndjson|graphql|proto|gitignore|dockerfile|makefile)$/;

/**
 * The type of a file as models need it. Browsers know few texts by name, and take TypeScript for
 * film; people who attach source code want it read as text.
 */
export function fileType({ name, type }: { name: string; type: string }): string {
  const ending = name.toLowerCase().split('.').at(-1) ?? '';
  if (Object.hasOwn(textTypes, ending)) return textTypes[ending] ?? type;
  if (code.test(ending)) return 'text/plain';
  return type === '' ? 'application/octet-stream' : (type.split(';')[0] ?? type);
}
