import { Eye, EyeOff, Plus, X } from 'lucide-react';
import { type ReactElement, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { newKey } from '#client/http/key.ts';
import { readPairs } from '../../../features/form/read-lines.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import type { PairRow } from './server-form.ts';

interface PairRowsProps {
  label: string;
  hint: string;
  /** What stands between name and value in lines that are pasted. */
  separator: '=' | ':';
  testId?: string;
  rows: PairRow[];
  onChange: (rows: PairRow[]) => void;
}

/** Variables or headers, one in a row. Lines that are pasted become rows. */
export function PairRows(props: PairRowsProps): ReactElement {
  const { label, hint, separator, rows, onChange } = props;
  const testId = props.testId ?? (separator === '=' ? 'env-rows' : 'header-rows');
  const id = useId();
  const paste = (key: string, text: string): boolean => {
    const added = pastedRows(text, separator);
    if (added) onChange([...rows.filter((row) => row.key !== key || row.name !== ''), ...added]);
    return added !== undefined;
  };
  return (
    <fieldset aria-describedby={id} data-testid={testId}>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="space-y-2">
        {rows.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            number={index + 1}
            onChange={(change) => onChange(rows.with(index, { ...row, ...change }))}
            onPaste={(text) => paste(row.key, text)}
            onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
      </div>
      <AddRow isFirst={rows.length === 0} onClick={() => onChange([...rows, newRow()])} />
      <p id={id} className="mt-1.5 text-xs text-muted">
        {hint}
      </p>
    </fieldset>
  );
}

function AddRow({ isFirst, onClick }: { isFirst: boolean; onClick: () => void }) {
  const t = useTranslations('servers');
  return (
    <Button className={isFirst ? '' : 'mt-2'} onClick={onClick}>
      <Plus aria-hidden />
      {t('addRow')}
    </Button>
  );
}

interface RowProps {
  row: PairRow;
  number: number;
  onChange: (change: Partial<PairRow>) => void;
  onPaste: (text: string) => boolean;
  onRemove: () => void;
}

function Row({ row, number, onChange, onPaste, onRemove }: RowProps) {
  const t = useTranslations('servers');
  return (
    <div className="flex items-center gap-1.5">
      <input
        aria-label={t('rowName', { n: number })}
        autoComplete="off"
        spellCheck={false}
        placeholder={t('formName')}
        value={row.name}
        onChange={(event) => onChange({ name: event.target.value })}
        onPaste={(event) => {
          if (onPaste(event.clipboardData.getData('text'))) event.preventDefault();
        }}
        className="input min-w-0 flex-2 font-mono"
      />
      <ValueInput row={row} number={number} onChange={onChange} />
      <IconButton label={t('removeRow', { n: number })} size="small" onClick={onRemove}>
        <X />
      </IconButton>
    </div>
  );
}

/** A value may be a secret: it is hidden until somebody wants to see it. */
function ValueInput({ row, number, onChange }: Pick<RowProps, 'row' | 'number' | 'onChange'>) {
  const t = useTranslations('servers');
  const [shown, setShown] = useState(false);
  return (
    <>
      <input
        aria-label={t('rowValue', { n: number })}
        type={shown ? 'text' : 'password'}
        autoComplete="off"
        spellCheck={false}
        placeholder={row.stored ? t('storedValue') : t('value')}
        value={row.value}
        onChange={(event) => onChange({ value: event.target.value, stored: false })}
        className="input min-w-0 flex-3 font-mono"
      />
      <IconButton
        label={t('showValue')}
        aria-pressed={shown}
        size="small"
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeOff /> : <Eye />}
      </IconButton>
    </>
  );
}

function pastedRows(text: string, separator: '=' | ':'): PairRow[] | undefined {
  const read = readPairs(text, separator);
  if (!text.includes(separator) || 'badLine' in read) return undefined;
  return Object.entries(read.pairs).map(([name, value]) => newRow(name, value));
}

function newRow(name = '', value = ''): PairRow {
  return { key: newKey(), name, value, stored: false };
}
