import { Lexer, type Links, Marked, type Token, Tokenizer } from 'marked';

const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const wideMark = /[，。；：！？、（）「」『』【】《》〈〉“”]/;
const besideCjk = new RegExp(`[${cjk}]$`, 'u');
const beforeCjk = new RegExp(`^[${cjk}]`, 'u');
const tightStrong = /^\*\*(?![\s*])((?:[^*\n`\\]|\*(?!\*))*?[^\s*`\\])\*\*(?!\*)/;

const options = new Marked({
  gfm: true,
  tokenizer: {
    /** A bare address ends where Chinese or Japanese punctuation begins. */
    url(src) {
      const stop = src.search(wideMark);
      if (stop === -1) return false;
      return Tokenizer.prototype.url.call(this, src.slice(0, stop));
    },
    /** Without spaces between words, `**重点。**后` closes although a mark stands before it. */
    emStrong(src, _masked, previous = '') {
      const found = tightStrong.exec(src);
      const text = found?.[1];
      if (!found || text === undefined) return false;
      const after = src.slice(found[0].length);
      if (!besideCjk.test(previous) && !beforeCjk.test(after)) return false;
      return { type: 'strong', raw: found[0], text, tokens: this.lexer.inlineTokens(text) };
    },
  },
}).defaults;

/** Nesting that nobody writes and that would only cost time: such text stays plain. */
const tooDeep = /(?:>[ \t]*){100}|(?:[-*+][ \t]+){100}/;

function plain(text: string): Token[] {
  return [{ type: 'text', raw: text, text }];
}

/** The top-level tokens of a text, with nothing inside of them read yet: only their `raw` is final. */
export function lexBlocks(text: string): Token[] {
  if (tooDeep.test(text)) return plain(text);
  return new Lexer(options).blockTokens(text, []);
}

/** All tokens of one block, inline ones included; `links` are the definitions of the whole text. */
export function lexWhole(text: string, links: Links): Token[] {
  if (tooDeep.test(text)) return plain(text);
  const lexer = new Lexer(options);
  Object.assign(lexer.tokens.links, links);
  return lexer.lex(text);
}
