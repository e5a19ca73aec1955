/** How files of a language end, where it is not the language's own name. */
const endings: Record<string, string> = {
  bash: 'sh',
  shell: 'sh',
  zsh: 'sh',
  shellscript: 'sh',
  powershell: 'ps1',
  batch: 'bat',
  javascript: 'js',
  typescript: 'ts',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  kotlin: 'kt',
  csharp: 'cs',
  'c#': 'cs',
  'c++': 'cpp',
  fsharp: 'fs',
  haskell: 'hs',
  perl: 'pl',
  erlang: 'erl',
  elixir: 'ex',
  clojure: 'clj',
  julia: 'jl',
  markdown: 'md',
  latex: 'tex',
  mermaid: 'mmd',
  yaml: 'yml',
  graphql: 'gql',
  terraform: 'tf',
  plaintext: 'txt',
  text: 'txt',
};

/** The language of a fence: its first word. */
export function languageName(info: string | undefined): string {
  return (
    (info ?? '')
      .trim()
      .split(/[\s{,:]/)[0]
      ?.slice(0, 40) ?? ''
  );
}

/** A name for code that is saved as a file. */
export function codeFileName(language: string): string {
  const name = language.toLowerCase();
  const ending = Object.hasOwn(endings, name) ? endings[name] : name;
  return `code.${/^[a-z0-9]{1,12}$/.test(ending ?? '') ? ending : 'txt'}`;
}
