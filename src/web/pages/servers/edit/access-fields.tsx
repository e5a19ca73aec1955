import { Plus, X } from 'lucide-react';
import { type ReactElement, useId } from 'react';
import { useTranslations } from 'use-intl';
import { newKey } from '#client/http/key.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { type FolderRow, namedFolders, type ServerForm } from './server-form.ts';

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
      <div role="radiogroup" aria-label={t('files')} className="space-y-1.5">
        {choices.map((choice) => (
          <label key={choice} className="flex items-start gap-2.5 text-sm">
            <input
              type="radio"
              name={id}
              value={choice}
              checked={form.files === choice}
              onChange={() => choose(choice)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            {t(`filesOf.${choice}`)}
          </label>
        ))}
      </div>
      {form.files === 'folders' && (
        <FolderRows rows={form.folders} onChange={(folders) => onChange({ ...form, folders })} />
      )}
      <label className="flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          data-testid="access-network"
          checked={form.network}
          onChange={(event) => onChange({ ...form, network: event.target.checked })}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
        {t('networkAllowed')}
      </label>
    </fieldset>
  );
}

interface FolderRowsProps {
  rows: FolderRow[];
  onChange: (rows: FolderRow[]) => void;
}

function FolderRows({ rows, onChange }: FolderRowsProps) {
  const t = useTranslations('access');
  const put = (key: string, change: Partial<FolderRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  return (
    <div className="space-y-2 pl-6.5">
      {rows.map((row, index) => (
        <div key={row.key} className="flex items-center gap-1.5">
          <input
            aria-label={t('folder', { n: index + 1 })}
            autoComplete="off"
            spellCheck={false}
            placeholder="/home/me/notes"
            value={row.path}
            onChange={(event) => put(row.key, { path: event.target.value })}
            className="input min-w-0 flex-3 font-mono"
          />
          <select
            aria-label={t('folderMode', { n: index + 1 })}
            value={row.write ? 'write' : 'read'}
            onChange={(event) => put(row.key, { write: event.target.value === 'write' })}
            className="input min-w-0 flex-2"
          >
            <option value="read">{t('read')}</option>
            <option value="write">{t('write')}</option>
          </select>
          <IconButton
            label={t('removeFolder', { n: index + 1 })}
            size="small"
            onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
          >
            <X />
          </IconButton>
        </div>
      ))}
      <Button onClick={() => onChange([...rows, { key: newKey(), path: '', write: false }])}>
        <Plus aria-hidden />
        {t('addFolder')}
      </Button>
    </div>
  );
}
