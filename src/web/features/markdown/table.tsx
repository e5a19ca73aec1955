import type { Token, Tokens } from 'marked';
import { createElement, type ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { decodeReferences } from '../../ui/text/safe-text.ts';
import { renderInline } from './render-inline.tsx';

/** A table in a frame that scrolls where it is wide; it can be taken away as CSV. */
export function TableBox({ table }: { table: Tokens.Table }): ReactElement {
  const t = useTranslations('markdown');
  const row = (cells: Tokens.TableCell[]) =>
    createElement('tr', null, ...cells.map((cell) => renderCell(cell)));
  return (
    <div className="table-box">
      <div className="table-frame" role="region" tabIndex={0} aria-label={t('table')}>
        <table dir="auto">
          <thead>{row(table.header)}</thead>
          {createElement('tbody', null, ...table.rows.map((cells) => row(cells)))}
        </table>
      </div>
      <div className="table-tools">
        <CopyButton text={() => toCsv(table)} label={t('copyTable')} />
      </div>
    </div>
  );
}

const alignment = { left: 'text-left', center: 'text-center', right: 'text-right' };

function renderCell(cell: Tokens.TableCell): ReactElement {
  const className = cell.align ? alignment[cell.align] : undefined;
  const scope = cell.header ? 'col' : undefined;
  return createElement(cell.header ? 'th' : 'td', { className, scope }, renderInline(cell.tokens));
}

/** A table's words as CSV (RFC 4180). */
function toCsv({ header, rows }: Tokens.Table): string {
  return [header, ...rows]
    .map((cells) => cells.map(({ tokens }) => csvCell(wordsOf(tokens))).join(','))
    .join('\r\n');
}

/** What a spreadsheet would take for a formula gets a mark before it. */
function csvCell(words: string): string {
  const safe = /^[=@\t]|^[+-](?![\d.,\s]*$)/.test(words) ? `'${words}` : words;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function wordsOf(tokens: Token[] | undefined): string {
  return (tokens ?? [])
    .map((token) => {
      if (token.type === 'br' || /^<br\s*\/?>$/i.test(token.raw)) return '\n';
      if ('tokens' in token && token.tokens) return wordsOf(token.tokens);
      if (token.type === 'codespan' && 'text' in token) return token.text;
      return decodeReferences('text' in token ? token.text : token.raw);
    })
    .join('');
}
