import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { loadServers } from '../../../state/catalog/catalog.ts';
import { api } from '../../../state/session/api.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { LaunchFacts } from './launch-facts.tsx';

interface ApproveLaunchProps {
  server: ServerView;
  onClose: () => void;
}

/** Shows the exact command of a draft; nothing runs before this is approved. */
export function ApproveLaunch({ server, onClose }: ApproveLaunchProps): ReactElement {
  const t = useTranslations('servers');
  const common = useTranslations('common');
  const [busy, setBusy] = useState(false);
  const approve = async () => {
    setBusy(true);
    try {
      await api.servers.approve(server.id, server.launchHash);
      onClose();
      await api.servers.act(server.id, 'connect');
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
      await loadServers().catch(showFailure);
    }
  };
  return (
    <Modal open onClose={onClose} title={t('approveTitle')} description={t('approveText')}>
      <LaunchFacts config={server.config} launchHash={server.launchHash} />
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button
          variant="primary"
          disabled={busy}
          onClick={() => void approve()}
          data-testid="approve-server"
        >
          {t('approve')}
        </Button>
      </div>
    </Modal>
  );
}
