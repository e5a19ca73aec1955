import { Plus, X } from 'lucide-react';
import { type ReactElement, useId } from 'react';
import { useTranslations } from 'use-intl';
import { newKey } from '#client/http/key.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { type FolderRow, namedFolders, type ServerForm } from './server-form.ts';
import { CheckField } from '../../../ui/controls/checkbox.tsx';

interface AccessFieldsProps {
  form: ServerForm;
  onChange: (form: ServerForm) => void;
}

const choices = ['everything', 'own', 'folders'] as const;

/** What a command may reach: its files in three steps, and the network. */
export function AccessFields({ form, onChange }: AccessFieldsProps): ReactElement {
  const t = useTranslations('access');
  const id = useId();
  const choose = (files: ServerForm['files']) => {
    const isEmpty = files === 'folders' && form.folders.length === 0;
    onChange({ ...form, files, ...(isEmpty && { folders: namedFolders(form) }) });
  };
  return (
    <fieldset
      aria-describedby={id}
      className="space-y-2.5 rounded-lg border border-line px-3.5 py-3"
      data-testid="access-fields"
    >
      <legend className="px-1 text-sm font-medium">{t('title')}</legend>
      <p id={id} className="text-xs text-muted">
        {t('hint')}
      </p>
      <FileChoice value={form.files} onChoose={choose} />
      {form.files === 'folders' && (
        <FolderRows rows={form.folders} onChange={(folders) => onChange({ ...form, folders })} />
      )}
      <CheckField
        label={t('networkAllowed')}
        data-testid="access-network"
        checked={form.network}
        onCheck={(network) => onChange({ ...form, network })}
      />
    </fieldset>
  );
}

function FileChoice(props: {
  value: ServerForm['files'];
  onChoose: (files: ServerForm['files']) => void;
}) {
  const { value, onChoose } = props;
  const t = useTranslations('access');
  const group = useId();
  return (
    <div role="radiogroup" aria-label={t('files')} className="space-y-1.5">
      {choices.map((choice) => (
        <label key={choice} className="flex items-start gap-2.5 text-sm">
          <input
            type="radio"
            name={group}
            value={choice}
            checked={value === choice}
            onChange={() => onChoose(choice)}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          {t(`filesOf.${choice}`)}
        </label>
      ))}
    </div>
  );
}

interface FolderRowsProps {
  rows: FolderRow[];
  onChange: (rows: FolderRow[]) => void;
}

function FolderRows({ rows, onChange }: FolderRowsProps) {
  const t = useTranslations('access');
  return (
    <div className="space-y-2 pl-6.5">
      {rows.map((row, index) => (
        <Folder
          key={row.key}
          row={row}
          n={index + 1}
          onChange={(changed) => onChange(rows.with(index, changed))}
          onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      <Button onClick={() => onChange([...rows, { key: newKey(), path: '', write: false }])}>
        <Plus aria-hidden />
        {t('addFolder')}
      </Button>
    </div>
  );
}

interface FolderProps {
  row: FolderRow;
  n: number;
  onChange: (row: FolderRow) => void;
  onRemove: () => void;
}

function Folder({ row, n, onChange, onRemove }: FolderProps) {
  const t = useTranslations('access');
  return (
    <div className="flex items-center gap-1.5">
      <input
        aria-label={t('folder', { n })}
        autoComplete="off"
        spellCheck={false}
        placeholder="/home/me/notes"
        value={row.path}
        onChange={(event) => onChange({ ...row, path: event.target.value })}
        className="input min-w-0 flex-3 font-mono"
      />
      <Select
        aria-label={t('folderMode', { n })}
        value={row.write ? 'write' : 'read'}
        options={[
          ['read', t('read')],
          ['write', t('write')],
        ]}
        onChoose={(mode) => onChange({ ...row, write: mode === 'write' })}
        className="input min-w-0 flex-2"
      />
      <IconButton label={t('removeFolder', { n })} size="small" onClick={onRemove}>
        <X />
      </IconButton>
    </div>
  );
}
