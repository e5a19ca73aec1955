import { Lexer, type Links, Marked, type Token, Tokenizer, type TokensList } from 'marked';
import { footnote, footnoteMark } from './footnote-tokens.ts';
import { displayMath, inlineMath } from './math-tokens.ts';

const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const wideMark = /[，。；：！？、（）「」『』【】《》〈〉“”‘’…—]/;
const besideCjk = new RegExp(`[${cjk}]$`, 'u');
const beforeCjk = new RegExp(`^[${cjk}]`, 'u');
/** `https://example.com是`: the words go on where the name of the host has ended. */
const hostThenCjk = new RegExp(`^(?:https?://|www\\.)[\\w.-]*\\.[a-z]{2,}(?=[${cjk}])`, 'iu');
const inside = String.raw`(?:[^*\n\`\\]|\\.|\`[^\`\n]{1,200}\`|\*(?!\*)){0,500}?`;
const tightStrong = new RegExp(String.raw`^\*\*(?![\s*])(${inside}[^\s*\\])\*\*(?!\*)`);
const tightEmphasis = /^\*(?![\s*])((?:[^*\n`\\]|\\.|`[^`\n]{1,200}`){0,500}?[^\s*\\])\*(?!\*)/;

const options = new Marked({
  gfm: true,
  extensions: [displayMath, inlineMath, footnote, footnoteMark],
  tokenizer: {
    /** A bare address ends where Chinese or Japanese punctuation begins. */
    url(src) {
      const stop = hostThenCjk.exec(src)?.[0].length ?? src.search(wideMark);
      if (stop === -1) return false;
      return Tokenizer.prototype.url.call(this, src.slice(0, stop));
    },
    /** Without spaces between words, `**重点。**后` closes although a mark stands before it. */
    emStrong(src, _masked, previous = '') {
      const strong = tightStrong.exec(src);
      const match = strong ?? tightEmphasis.exec(src);
      const text = match?.[1];
      if (!match || text === undefined) return false;
      const after = src.slice(match[0].length, match[0].length + 2);
      if (!besideCjk.test(previous) && !beforeCjk.test(after)) return false;
      const type = strong ? 'strong' : 'em';
      return { type, raw: match[0], text, tokens: this.lexer.inlineTokens(text) };
    },
  },
}).defaults;

const deepest = 24;
const maxInlineChars = 8000;
/** Each open bracket is looked for to the end of its run. */
const mostBrackets = 400;

/** Nesting that nobody writes, and lines that nobody reads, would only cost time: they stay plain. */
class BoundedLexer extends Lexer {
  #depth = 0;

  override blockTokens(src: string, tokens?: Token[], clipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, clipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], clipped?: boolean): Token[] {
    if (this.#depth >= deepest) {
      tokens.push(plain(src));
      return tokens;
    }
    this.#depth += 1;
    try {
      return super.blockTokens(src, tokens, clipped);
    } finally {
      this.#depth -= 1;
    }
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (this.#depth >= deepest || isTooLong(src)) {
      tokens.push(plain(src));
      return tokens;
    }
    this.#depth += 1;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.#depth -= 1;
    }
  }
}

function isTooLong(src: string): boolean {
  if (src.length <= mostBrackets) return false;
  return src.length > maxInlineChars || src.split('[').length > mostBrackets;
}

function plain(text: string): Token {
  return { type: 'text', raw: text, text };
}

/** The top-level tokens of a text, with nothing inside of them read yet: only their `raw` is final. */
export function lexBlocks(text: string): Token[] {
  return new BoundedLexer(options).blockTokens(text, []);
}

/** The link definitions of a text, wherever they stand; the first of a name wins. */
export function readDefinitions(text: string): Links {
  if (!text.includes(']:')) return {};
  const lexer = new BoundedLexer(options);
  lexer.blockTokens(text, lexer.tokens);
  return lexer.tokens.links;
}

/** All tokens of one block, inline ones included; `links` are the definitions of the whole text. */
export function lexWhole(text: string, links: Links): Token[] {
  const lexer = new BoundedLexer(options);
  Object.assign(lexer.tokens.links, links);
  return lexer.lex(text);
}
