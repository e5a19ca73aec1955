import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { ServerView } from '#shared/api/api.ts';
import { useCatalog } from '../../../state/catalog/catalog.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { ApprovedServer } from './approved-server.tsx';

interface ApprovedServersProps {
  servers: ServerView[];
  onClose: () => void;
  onTry: (server: ServerView, toolName: string) => void;
}

/** What comes of servers that were approved, as it comes. */
export function ApprovedServers(props: ApprovedServersProps): ReactElement {
  const { servers, onClose, onTry } = props;
  const t = useTranslations('servers');
  return (
    <Modal open onClose={onClose} title={t('approvedTitle', { count: servers.length })}>
      <ul className="space-y-3">
        {servers.map(({ id }) => (
          <ApprovedServer key={id} serverId={id} onTry={onTry} />
        ))}
      </ul>
      <ApprovedActions servers={servers} onClose={onClose} />
    </Modal>
  );
}

/** The way on: to a chat that can use them, once one of them is connected. */
function ApprovedActions({ servers, onClose }: { servers: ServerView[]; onClose: () => void }) {
  const common = useTranslations('common');
  const sidebar = useTranslations('sidebar');
  const t = useTranslations('servers');
  const states = useCatalog((state) =>
    state.servers
      .filter(({ id }) => servers.some((one) => one.id === id))
      .map((server) => server.state)
      .join(' '),
  ).split(' ');
  const isReady = states.includes('connected');
  const goesOn = states.some((state) => state === 'installing' || state === 'connecting');
  return (
    <div className="mt-5 flex justify-end gap-2">
      <Button variant={isReady ? 'plain' : 'primary'} onClick={onClose} data-testid="approved-done">
        {goesOn ? t('inBackground') : common('done')}
      </Button>
      {isReady && (
        <Link href="/" className="button button-primary" data-testid="approved-chat">
          {sidebar('newChat')}
        </Link>
      )}
    </div>
  );
}
