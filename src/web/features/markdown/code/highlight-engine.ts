import { createCssVariablesTheme, createHighlighterCore, type GrammarState } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { bundledLanguages } from 'shiki/langs';

/** Some letters of one kind, such as `keyword`; without a kind they are as all others. */
export interface Piece {
  text: string;
  kind?: string;
}

/** Highlights further lines; each call goes on where the one before it stopped. */
export type LineHighlighter = (lines: string) => Piece[][];

const theme = createCssVariablesTheme({ name: 'cerise', fontStyle: false });
const maxLineChars = 1000;
const highlighter = createHighlighterCore({
  engine: createJavaScriptRegexEngine({ forgiving: true }),
  themes: [theme],
  langs: [],
});

/** Loads a language by any of its names; undefined for one that is not known. */
export async function openLanguage(name: string): Promise<(() => LineHighlighter) | undefined> {
  if (!Object.hasOwn(bundledLanguages, name)) return undefined;
  const { loadLanguage, codeToTokensBase, getLastGrammarState } = await highlighter;
  await loadLanguage(bundledLanguages[name as keyof typeof bundledLanguages]);
  return () => {
    let state: GrammarState | undefined;
    return (lines) => {
      const tokens = codeToTokensBase(lines, {
        lang: name,
        theme: 'cerise',
        tokenizeMaxLineLength: maxLineChars,
        // The caller ends what takes too long: a line that is cut would spoil everything after it.
        tokenizeTimeLimit: 0,
        ...(state && { grammarState: state }),
      });
      state = getLastGrammarState(tokens);
      return tokens.map((line) => joinPieces(line));
    };
  };
}

/** Neighbours of one kind become one piece. */
function joinPieces(tokens: { content: string; color?: string }[]): Piece[] {
  const pieces: Piece[] = [];
  for (const { content, color } of tokens) {
    const kind = /--shiki-token-([a-z-]+)/.exec(color ?? '')?.[1];
    const last = pieces.at(-1);
    if (last && last.kind === kind) last.text += content;
    else pieces.push({ text: content, ...(kind !== undefined && { kind }) });
  }
  return pieces;
}
