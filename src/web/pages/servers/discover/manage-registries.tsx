import { FileUp, Trash2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CatalogueLimit, RegistryList, SetRegistries } from '#shared/api/registry-api.ts';
import { freeRegistryId } from '#shared/messages/builtin-tool.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FileButton } from '../../../ui/controls/file-button.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { InputField } from '../../../ui/controls/labelled.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { VisibleText } from '../../../ui/text/visible-text.tsx';
import { LimitFields } from './limit-fields.tsx';

type Registry = NonNullable<SetRegistries['registries']>[number];

interface ManageProps {
  list: RegistryList;
  onClose: () => void;
  onSaved: (list: RegistryList) => void;
}

/** Which registries the catalogue has, and what users can install from it; for admins. */
export function ManageRegistries({ list, onClose, onSaved }: ManageProps): ReactElement {
  const t = useTranslations('discover');
  const common = useTranslations('common');
  const [all, setAll] = useState<Registry[]>(() =>
    list.registries.slice(1).map(({ id, name, url }) => ({ id, name, ...(url && { url }) })),
  );
  const [limit, setLimit] = useState<CatalogueLimit | null>(list.limit ?? null);
  const { error, submit } = useSubmit();
  const save = async () => onSaved(await api.registry.set({ registries: all, limit }));
  return (
    <Modal open isToRead onClose={onClose} title={t('manageTitle')}>
      <div className="space-y-5" data-testid="manage-dialog">
        <RegistryRows all={all} onChange={setAll} />
        <AddRegistry
          onAdd={(added) => setAll([...all, { ...added, id: freeRegistryId(added.name, all) }])}
        />
        <LimitFields
          limit={limit}
          registries={[{ id: 'picked', name: t('picked') }, ...all]}
          onChange={setLimit}
        />
        {error && <ErrorNote error={error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button variant="primary" onClick={() => submit(save)} data-testid="save-registries">
            {common('save')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

function RegistryRows({ all, onChange }: { all: Registry[]; onChange: (all: Registry[]) => void }) {
  const t = useTranslations('discover');
  return (
    <ul className="space-y-2">
      {all.map((one) => (
        <li key={one.id} className="flex items-center gap-2">
          <span className="min-w-0 flex-1 text-sm break-words">
            <VisibleText text={one.name} />
            <span className="block text-xs break-all text-muted">
              <VisibleText text={one.url ?? t('fromFile')} />
            </span>
          </span>
          <IconButton
            label={t('removeRegistry', { name: one.name })}
            onClick={() => onChange(all.filter(({ id }) => id !== one.id))}
          >
            <Trash2 />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

interface AddProps {
  onAdd: (registry: Omit<Registry, 'id'>) => void;
}

function AddRegistry({ onAdd }: AddProps) {
  const t = useTranslations('discover');
  const [url, setUrl] = useState('');
  const host = URL.parse(url.trim())?.host ?? '';
  return (
    <Form
      className="space-y-2"
      onSend={() => {
        if (host === '') return;
        onAdd({ name: host, url: url.trim() });
        setUrl('');
      }}
    >
      <InputField
        label={t('registryUrl')}
        hint={t('registryUrlHint')}
        type="url"
        placeholder="https://"
        value={url}
        onWrite={setUrl}
        data-testid="registry-url"
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={host === ''} data-testid="add-registry">
          {t('addRegistry')}
        </Button>
        <AddFile onAdd={onAdd} />
      </div>
    </Form>
  );
}

function AddFile({ onAdd }: AddProps) {
  const t = useTranslations('discover');
  const add = async (file: File) =>
    onAdd({ name: file.name.slice(0, 100), file: await file.text() });
  return (
    <FileButton
      accept=".json"
      inputTestId="registry-file"
      onFile={(file) => void add(file).catch(showFailure)}
    >
      <FileUp aria-hidden />
      {t('addFile')}
    </FileButton>
  );
}
