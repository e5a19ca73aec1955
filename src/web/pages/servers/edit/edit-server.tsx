import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { ServerConfig, ServerFix } from '#shared/vocabulary/server.ts';
import { api } from '../../../state/session/api.ts';
import { useIsAdmin } from '../../../state/session/session.ts';
import { FormModal } from '../../../ui/dialog/form-modal.tsx';
import { KindField, ServerFields, SharedField } from './server-fields.tsx';
import {
  changesIn,
  changesLaunch,
  changesOf,
  formOf,
  widensAccess,
  withFix,
} from './server-form.ts';

interface EditServerProps {
  server: ServerView;
  /** A change to begin with. */
  fix?: ServerFix | undefined;
  onClose: () => void;
  onSaved: (server: ServerView) => void;
}

/** Changes a server. Says before it is saved that a changed launch has to be approved again. */
export function EditServer({ server, fix, onClose, onSaved }: EditServerProps): ReactElement {
  const t = useTranslations('servers');
  const isAdmin = useIsAdmin();
  const mayShare = isAdmin && !server.attachedTo;
  const [before] = useState(() =>
    formOf(server.config as ServerConfig, mayShare ? server.shared === true : undefined),
  );
  const [form, setForm] = useState(() => (fix ? withFix(before, fix) : before));
  const changes = changesOf(before, form);
  const mustApprove =
    form.type === 'stdio' && (changesLaunch(changes) || widensAccess(before, form));
  const save = async () => {
    const { config: present } = await api.servers.read(server.id);
    const sent = changesIn(present as ServerConfig, before, form);
    onSaved(await api.servers.update(server.id, sent));
  };
  return (
    <FormModal
      title={t('editTitle', { name: server.name })}
      onClose={onClose}
      save={save}
      canSave={Object.keys(changes).length > 0}
      saveTestId="save-server"
    >
      {form.type !== 'stdio' && <KindField form={form} onChange={setForm} />}
      <ServerFields form={form} onChange={setForm} />
      <SharedField form={form} onChange={setForm} />
      <div aria-live="polite">
        {mustApprove && (
          <p className="rounded-lg bg-warn-soft px-3.5 py-2.5 text-sm" data-testid="must-approve">
            {t('mustApprove')}
          </p>
        )}
      </div>
    </FormModal>
  );
}
