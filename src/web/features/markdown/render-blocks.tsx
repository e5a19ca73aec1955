import type { MarkedToken, Token, Tokens } from 'marked';
import {
  createElement,
  type CSSProperties,
  Fragment,
  type ReactElement,
  type ReactNode,
} from 'react';
import { CodeBox } from './code/code-box.tsx';
import { languageName } from './code/code-file.ts';
import { Diagram } from './diagram/diagram.tsx';
import { MathView } from './math/math.tsx';
import { isClosedFence } from './parse/fence.ts';
import type { MathToken } from './parse/math-tokens.ts';
import { renderInline } from './render-inline.tsx';
import { TableBox } from './table.tsx';

const deepest = 40;

/** React elements of block tokens. Nothing becomes HTML text on the way. */
export function renderBlocks(tokens: Token[], depth = 0): ReactElement {
  if (depth > deepest) return <p>{tokens.map(({ raw }) => raw).join('')}</p>;
  return createElement(Fragment, null, ...tokens.map((token) => renderOne(token, depth + 1)));
}

function renderOne(token: Token, depth: number): ReactNode {
  const known = token as MarkedToken;
  switch (known.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return <p>{renderInline(known.tokens)}</p>;
    case 'heading':
      return createElement(headingName(known.depth), null, renderInline(known.tokens));
    case 'code':
      return renderCode(known);
    case 'blockquote':
      return <blockquote dir="auto">{renderBlocks(known.tokens, depth)}</blockquote>;
    case 'list':
      return renderList(known, depth);
    case 'table':
      return <TableBox table={known} />;
    case 'hr':
      return <hr />;
    case 'html':
      return <p className="whitespace-pre-wrap">{known.raw.trimEnd()}</p>;
    case 'text':
      return renderInline(known.tokens ?? [known]);
    default:
      return renderOwn(token);
  }
}

/** The page has the first level for itself. */
function headingName(depth: number): string {
  return `h${Math.min(depth + 1, 6)}`;
}

/** Footnotes are shown at the end of the text. */
function renderOwn(token: Token): ReactNode {
  if (token.type === 'footnote') return null;
  if (token.type !== 'math') return renderInline([token]);
  return <MathView source={(token as MathToken).text} display />;
}

function renderCode({ raw, text, lang }: Tokens.Code): ReactElement {
  const isFence = /^ {0,3}[`~]/.test(raw);
  const closed = !isFence || isClosedFence(raw);
  const language = languageName(lang).toLowerCase();
  if (closed && language === 'mermaid') return <Diagram source={text} />;
  if (closed && (language === 'math' || language === 'katex'))
    return <MathView source={text} display />;
  return <CodeBox code={text} language={lang} open={!closed} />;
}

function renderList(list: Tokens.List, depth: number): ReactElement {
  return listElement(list.raw, list.items.length, renderItems(list.items, depth));
}

/** The items of a list; their places are their keys. */
export function renderItems(items: Tokens.ListItem[], depth = 1): ReactElement {
  const drawn = items.map((item) => {
    const className = item.task ? 'task' : undefined;
    return createElement('li', { className }, renderBlocks(item.tokens, depth));
  });
  return createElement(Fragment, null, ...drawn);
}

/** The element around the items of a list that begins like this, with room for its longest number. */
export function listElement(raw: string, count: number, items: ReactNode): ReactElement {
  const number = /^ {0,3}(\d{1,9})[.)]/.exec(raw)?.[1];
  if (number === undefined) return <ul dir="auto">{items}</ul>;
  const start = Number(number);
  const digits = String(start + count - 1).length;
  // The usual padding has room for two.
  const style = digits > 2 ? ({ '--digits': digits } as CSSProperties) : undefined;
  return (
    <ol dir="auto" start={start === 1 ? undefined : start} style={style}>
      {items}
    </ol>
  );
}
