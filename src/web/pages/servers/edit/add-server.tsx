import { Tabs } from '@base-ui/react/tabs';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import type { Attachment } from '#shared/vocabulary/server.ts';
import { api } from '../../../state/session/api.ts';
import { useIsAdmin } from '../../../state/session/session.ts';
import { tabLook } from '../../../ui/controls/tab-look.ts';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useSubmit } from '../../../ui/hooks/use-submit.ts';
import { DialogActions } from '../../../ui/dialog/form-modal.tsx';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { InstallBundle } from '../bundles/install-bundle.tsx';
import { ImportServers } from '../import/import-servers.tsx';
import { AvailableIn } from './available-in.tsx';
import { KindField, ServerFields, SharedField } from './server-fields.tsx';
import { configOf, formFor } from './server-form.ts';
import { Form } from '../../../ui/controls/form.tsx';

interface AddServerProps {
  /** Text to import, where there is some already. */
  text?: string | undefined;
  /** A bundle that was dropped. */
  bundle?: File | undefined;
  /** The chat or assistant that somebody came from to add a server for it. */
  attachedTo?: Attachment | undefined;
  onClose: () => void;
  onAdded: (servers: ServerView[]) => void;
}

/** A new server: by a form, by what another host calls it, or by a bundle. A command becomes a draft. */
export function AddServer(props: AddServerProps): ReactElement {
  const { text, bundle, onClose, onAdded } = props;
  const t = useTranslations('servers');
  const [attachedTo, setAttachedTo] = useState(props.attachedTo);
  const addOne = (server: ServerView) => onAdded([server]);
  const first = bundle ? 'bundle' : text === undefined ? 'form' : 'import';
  return (
    <Modal open onClose={onClose} title={t('add')}>
      <Tabs.Root defaultValue={first}>
        <Tabs.List className="mb-4 flex flex-wrap gap-1">
          <Tabs.Tab value="form" className={tabLook}>
            {t('byForm')}
          </Tabs.Tab>
          <Tabs.Tab value="import" className={tabLook} data-testid="import-tab">
            {t('byImport')}
          </Tabs.Tab>
          <Tabs.Tab value="bundle" className={tabLook} data-testid="bundle-tab">
            {t('byBundle')}
          </Tabs.Tab>
        </Tabs.List>
        <AvailableIn value={attachedTo} onChange={setAttachedTo} />
        <Tabs.Panel value="form">
          <NewServer {...{ attachedTo, onClose }} onAdded={addOne} />
        </Tabs.Panel>
        <Tabs.Panel value="import">
          <ImportServers {...{ attachedTo, onClose, onAdded }} text={text ?? ''} />
        </Tabs.Panel>
        <Tabs.Panel value="bundle">
          <InstallBundle {...{ attachedTo, onClose }} file={bundle} onInstalled={addOne} />
        </Tabs.Panel>
      </Tabs.Root>
    </Modal>
  );
}

function NewServer(props: {
  attachedTo: Attachment | undefined;
  onClose: () => void;
  onAdded: (server: ServerView) => void;
}) {
  const common = useTranslations('common');
  const isAdmin = useIsAdmin();
  const [form, setForm] = useState(() => formFor(isAdmin));
  const { error, submit } = useSubmit();
  const { attachedTo } = props;
  const place = attachedTo && { attachedTo };
  const create = async () =>
    props.onAdded(await api.servers.create({ ...configOf(form), ...place }));
  return (
    <Form className="space-y-4" onSend={() => submit(create)}>
      <KindField form={form} onChange={setForm} />
      <ServerFields form={form} onChange={setForm} />
      {!attachedTo && <SharedField form={form} onChange={setForm} />}
      {error && <ErrorNote error={error} />}
      <DialogActions onClose={props.onClose} saveText={common('add')} saveTestId="create-server" />
    </Form>
  );
}
