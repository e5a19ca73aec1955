import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api.ts';
import { type ErrorInfo, toErrorInfo } from '#shared/errors.ts';
import type { ServerConfig } from '#shared/server.ts';
import { serversApi } from '../api/servers-api.ts';
import { useIsAdmin } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Modal } from '../ui/modal.tsx';
import { KindField, ServerFields, SharedField } from './server-fields.tsx';
import { changesLaunch, changesOf, formOf } from './server-form.ts';

interface EditServerProps {
  server: ServerView;
  onClose: () => void;
  onSaved: (server: ServerView) => void;
}

/** Changes a server. Says before it is saved that a changed launch has to be approved again. */
export function EditServer({ server, onClose, onSaved }: EditServerProps): ReactElement {
  const t = useTranslations('servers');
  const common = useTranslations('common');
  const isAdmin = useIsAdmin();
  const mayShare = isAdmin && !server.attachedTo;
  const [before] = useState(() =>
    formOf(server.config as ServerConfig, mayShare ? server.shared === true : undefined),
  );
  const [form, setForm] = useState(before);
  const [error, setError] = useState<ErrorInfo | null>(null);
  const changes = changesOf(before, form);
  const mustApprove = form.type === 'stdio' && changesLaunch(changes);
  const save = async () => {
    try {
      onSaved(await serversApi.update(server.id, changes));
    } catch (failure) {
      setError(toErrorInfo(failure));
    }
  };
  return (
    <Modal open onClose={onClose} title={t('editTitle', { name: server.name })}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
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
        {error && <ErrorNote error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button
            type="submit"
            variant="primary"
            disabled={Object.keys(changes).length === 0}
            data-testid="save-server"
          >
            {common('save')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
