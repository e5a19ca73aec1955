import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactElement, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { textAction, Toggle } from '../../../ui/controls/toggle.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { cellText, columnsOf, ownValue, sortRecords, toCsv } from './records.ts';

const firstRows = 200;
const maxCellChars = 300;

interface Sorting {
  column: string;
  direction: 'ascending' | 'descending';
}

/** Records as a table that scrolls in its own frame and can be sorted; long ones are cut until asked for. */
export function RecordTable({ records }: { records: JsonObject[] }): ReactElement {
  const t = useTranslations('tool');
  const [sorting, setSorting] = useState<Sorting>();
  const [all, setAll] = useState(false);
  const columns = useMemo(() => columnsOf(records), [records]);
  const sorted = useMemo(
    () => (sorting ? sortRecords(records, sorting.column, sorting.direction) : records),
    [records, sorting],
  );
  const count = records.length;
  const shown = all ? sorted : sorted.slice(0, firstRows);
  return (
    <div data-testid="record-table">
      <div
        role="region"
        aria-label={t('table')}
        tabIndex={0}
        className="max-h-96 overflow-auto overscroll-contain rounded-lg border border-line"
      >
        <RecordRows columns={columns} rows={shown} sorting={sorting} onSort={setSorting} />
      </div>
      <p className="mt-1 flex items-center gap-1 text-xs text-muted">
        <span className="mr-auto">{t('rows', { count, columns: columns.length })}</span>
        {count > firstRows && (
          <Toggle open={all} onToggle={setAll}>
            {all ? t('fewerRows', { count: firstRows }) : t('allRows', { count })}
          </Toggle>
        )}
        <CopyCsv records={records} />
      </p>
    </div>
  );
}

interface RecordRowsProps {
  columns: string[];
  rows: JsonObject[];
  sorting: Sorting | undefined;
  onSort: (sorting: Sorting | undefined) => void;
}

function RecordRows({ columns, rows, sorting, onSort }: RecordRowsProps) {
  return (
    <table className="w-full border-collapse text-left text-[0.8125rem]">
      <thead className="sticky top-0 bg-sunken">
        <tr>
          {columns.map((column) => (
            <HeaderCell
              key={column}
              column={column}
              isNumeric={rows.every((record) => typeof ownValue(record, column) === 'number')}
              sorting={sorting}
              onSort={onSort}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((record, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a record has no identity but its place
          <tr key={index} className="border-t border-line">
            {columns.map((column) => (
              <Cell key={column} record={record} column={column} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CopyCsv({ records }: { records: JsonObject[] }) {
  const t = useTranslations('tool');
  const common = useTranslations('common');
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(toCsv(records)).then(() => setCopied(true), showFailure);
  };
  return (
    <button type="button" onClick={copy} onBlur={() => setCopied(false)} className={textAction}>
      <span aria-live="polite">{copied ? common('copied') : t('copyCsv')}</span>
    </button>
  );
}

function HeaderCell(props: {
  column: string;
  isNumeric: boolean;
  sorting: Sorting | undefined;
  onSort: (sorting: Sorting | undefined) => void;
}) {
  const { column, isNumeric, sorting, onSort } = props;
  const direction = sorting?.column === column ? sorting.direction : undefined;
  const next = () => {
    if (direction === undefined) return onSort({ column, direction: 'ascending' });
    return onSort(direction === 'ascending' ? { column, direction: 'descending' } : undefined);
  };
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp;
  return (
    <th scope="col" aria-sort={direction ?? 'none'} className="p-0 font-semibold">
      <button
        type="button"
        onClick={next}
        className={`flex w-full items-center gap-1 px-3 py-2 whitespace-nowrap hover:bg-hover ${isNumeric ? 'flex-row-reverse' : ''}`}
      >
        {column}
        <Arrow aria-hidden className={`size-3 shrink-0 ${direction ? '' : 'opacity-0'}`} />
      </button>
    </th>
  );
}

function Cell({ record, column }: { record: JsonObject; column: string }) {
  const value = ownValue(record, column);
  const text = cellText(value);
  const short = text.length > maxCellChars ? `${text.slice(0, maxCellChars)}…` : text;
  const look = typeof value === 'number' ? 'text-right tabular-nums' : '';
  const isCode = typeof value === 'object' && value !== null;
  return (
    <td
      className={`max-w-80 min-w-16 px-3 py-1.5 align-top break-words ${look} ${isCode ? 'font-mono text-xs' : ''}`}
    >
      {short || <span className="text-muted">–</span>}
    </td>
  );
}
