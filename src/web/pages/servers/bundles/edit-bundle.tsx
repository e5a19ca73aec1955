import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { BundleView } from '#shared/api/bundle-api.ts';
import { checkForm } from '../../../features/form/check-form.ts';
import { SchemaForm } from '../../../features/form/schema-form.tsx';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FormModal } from '../../../ui/dialog/form-modal.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { LaunchFacts } from '../launch/launch-facts.tsx';
import { configWith, settingsOf } from './form-values.ts';

interface EditBundleProps {
  server: ServerView;
  onClose: () => void;
  onSaved: (server: ServerView) => void;
  /** The command itself is to be changed. */
  onCommand: () => void;
}

/** The settings of a server that was installed from a bundle. A change has to be approved. */
export function EditBundle(props: EditBundleProps): ReactElement | null {
  const { server, onClose } = props;
  const t = useTranslations('servers');
  const { value, error } = useLoaded((signal) => api.bundles.read(server.id, signal), server.id);
  if (value) return <Settings {...props} bundle={value} />;
  return error ? (
    <Modal open onClose={onClose} title={t('editTitle', { name: server.name })}>
      <ErrorNote error={error} />
    </Modal>
  ) : null;
}

function Settings(props: EditBundleProps & { bundle: BundleView }) {
  const { server, bundle, onClose, onSaved, onCommand } = props;
  const t = useTranslations('bundles');
  const servers = useTranslations('servers');
  const [value, setValue] = useState(bundle.values);
  const errors = checkForm(bundle.form, value);
  const isChanged = JSON.stringify(value) !== JSON.stringify(bundle.values);
  const save = async () =>
    onSaved(await api.bundles.change(server.id, { values: settingsOf(bundle.form, value) }));
  return (
    <FormModal
      title={servers('editTitle', { name: server.name })}
      onClose={onClose}
      save={save}
      canSave={isChanged && Object.keys(errors).length === 0}
      saveTestId="save-bundle"
    >
      <SchemaForm
        schema={bundle.form}
        value={value}
        errors={isChanged ? errors : {}}
        onChange={setValue}
      />
      <LaunchFacts config={configWith(bundle, value)} />
      {isChanged && (
        <p className="rounded-lg bg-warn-soft px-3.5 py-2.5 text-sm">{servers('mustApprove')}</p>
      )}
      <Button onClick={onCommand}>{t('editCommand')}</Button>
    </FormModal>
  );
}
