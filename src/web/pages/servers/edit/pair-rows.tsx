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
  const t = useTranslations('servers');
  const id = useId();
  const put = (key: string, change: Partial<PairRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  const paste = (key: string, text: string): boolean => {
    const read = readPairs(text, separator);
    if (!text.includes(separator) || 'badLine' in read) return false;
    const added = Object.entries(read.pairs).map(([name, value]) => newRow(name, value));
    onChange([...rows.filter((row) => row.key !== key || row.name !== ''), ...added]);
    return true;
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
            onChange={(change) => put(row.key, change)}
            onPaste={(text) => paste(row.key, text)}
            onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
      </div>
      <Button
        className={rows.length > 0 ? 'mt-2' : ''}
        onClick={() => onChange([...rows, newRow()])}
      >
        <Plus aria-hidden />
        {t('addRow')}
      </Button>
      <p id={id} className="mt-1.5 text-xs text-muted">
        {hint}
      </p>
    </fieldset>
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
  const [shown, setShown] = useState(false);
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
      <IconButton label={t('removeRow', { n: number })} size="small" onClick={onRemove}>
        <X />
      </IconButton>
    </div>
  );
}

function newRow(name = '', value = ''): PairRow {
  return { key: newKey(), name, value, stored: false };
}
