import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { CodeBox } from './code-box.tsx';
import { renderInline } from './render-inline.tsx';

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
      return createElement(`h${known.depth}`, null, renderInline(known.tokens));
    case 'code':
      return <CodeBox code={known.text} language={known.lang} />;
    case 'blockquote':
      return <blockquote>{renderBlocks(known.tokens, depth)}</blockquote>;
    case 'list':
      return renderList(known, depth);
    case 'table':
      return renderTable(known);
    case 'hr':
      return <hr />;
    case 'html':
      return <p className="whitespace-pre-wrap">{known.raw}</p>;
    case 'text':
      return renderInline(known.tokens ?? [known]);
    default:
      return renderInline([token]);
  }
}

function renderList(list: Tokens.List, depth: number): ReactElement {
  const items = list.items.map((item) => {
    const className = item.task ? 'task' : undefined;
    return createElement('li', { className }, renderBlocks(item.tokens, depth));
  });
  if (!list.ordered) return createElement('ul', null, ...items);
  const start = typeof list.start === 'number' && list.start !== 1 ? list.start : undefined;
  return createElement('ol', { start }, ...items);
}

function renderTable(table: Tokens.Table): ReactElement {
  const row = (cells: Tokens.TableCell[]) =>
    createElement('tr', null, ...cells.map((cell) => renderCell(cell)));
  return (
    <div className="table-frame" role="region" tabIndex={0}>
      <table>
        <thead>{row(table.header)}</thead>
        {createElement('tbody', null, ...table.rows.map((cells) => row(cells)))}
      </table>
    </div>
  );
}

const alignment = { left: 'text-left', center: 'text-center', right: 'text-right' };

function renderCell(cell: Tokens.TableCell): ReactElement {
  const className = cell.align ? alignment[cell.align] : undefined;
  return createElement(cell.header ? 'th' : 'td', { className }, renderInline(cell.tokens));
}
