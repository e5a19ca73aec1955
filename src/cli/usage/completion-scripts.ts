/** A word that can be typed next. */
export interface CompletedWord {
  word: string;
  does: string;
}

/** What may follow: by nothing, by a command, or by a command of two words. */
type Words = ReadonlyMap<string, readonly CompletedWord[]>;

/** The completion of each shell, made of what may follow which words. */
export const completionScripts: Record<string, (words: Words) => string> = { bash, zsh, fish };

/** The words of a command that may be followed by more are not options. */
const pathOf = {
  bash: [
    'local cur=${COMP_WORDS[COMP_CWORD]} first= second= word',
    'for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '  case $word in -*) ;; *)',
    '    if [ -z "$first" ]; then first=$word',
    '    elif [ -z "$second" ]; then second=$word; fi ;;',
    '  esac',
    'done',
  ],
  zsh: [
    'local first= second= word',
    'for word in "${(@)words[2,CURRENT-1]}"; do',
    '  case $word in (-*) ;; (*)',
    '    if [[ -z $first ]]; then first=$word',
    '    elif [[ -z $second ]]; then second=$word; fi ;;',
    '  esac',
    'done',
  ],
};

function bash(words: Words): string {
  const cases = casesOf(words, (list) => `list=${quoted(list.map(({ word }) => word).join(' '))}`);
  return lines([
    '# Completion of cerise for bash.',
    '_cerise() {',
    ...indented([...pathOf.bash, 'local list=', ...cases]),
    '  COMPREPLY=($(compgen -W "$list" -- "$cur"))',
    '}',
    'complete -o default -F _cerise cerise',
  ]);
}

function zsh(words: Words): string {
  const entry = ({ word, does }: CompletedWord) => quoted(`${word}:${does.replaceAll(':', '\\:')}`);
  const cases = casesOf(words, (list) => `list=(${list.map(entry).join(' ')})`);
  return lines([
    '#compdef cerise',
    '_cerise() {',
    ...indented([...pathOf.zsh, 'local -a list', ...cases]),
    "  if (( $#list )); then _describe 'cerise' list || _files; else _files; fi",
    '}',
    'compdef _cerise cerise',
  ]);
}

/** The longest match wins: the command of two words, then that of one. */
function casesOf(words: Words, write: (list: readonly CompletedWord[]) => string): string[] {
  const of = (count: number) =>
    [...words].filter(([after]) => after.split(' ').filter(Boolean).length === count);
  const arm = ([after, list]: [string, readonly CompletedWord[]]) =>
    `  ${quoted(after)}) ${write(list)} ;;`;
  return [
    'case "$first $second" in',
    ...of(2).map(arm),
    '  *) case "$first" in',
    ...[...of(1), ...of(0)].map((each) => `  ${arm(each)}`),
    '  esac ;;',
    'esac',
  ];
}

function fish(words: Words): string {
  return lines([
    '# Completion of cerise for fish.',
    'function __cerise_after',
    '  set -l typed (commandline -opc)[2..]',
    "  set -l plain (string match -v -- '-*' $typed)",
    '  set -l count (count $argv)',
    '  test "$plain[1..$count]" = "$argv"',
    'end',
    ...[...words].flatMap(([after, list]) =>
      list.map(({ word, does }) => {
        const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${quoted(word)}`;
        const test = quoted(fishTest(words, after));
        return `complete -c cerise -n ${test} ${what} -d ${quoted(does)}`;
      }),
    ),
  ]);
}

/** After one word, nothing of it is offered once a command of two words is typed. */
function fishTest(words: Words, after: string): string {
  if (after === '') return '__fish_use_subcommand';
  const longer = (words.get(after) ?? []).filter(({ word }) => words.has(`${after} ${word}`));
  const others = longer.map(({ word }) => word).join(' ');
  const test = `__cerise_after ${after}`;
  return others === '' ? test : `${test}; and not __fish_seen_subcommand_from ${others}`;
}

function indented(all: readonly string[]): string[] {
  return all.map((line) => `  ${line}`);
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

/** One word for a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
