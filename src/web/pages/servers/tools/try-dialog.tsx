import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerView } from '#shared/api/api.ts';
import { readTools } from '../../../state/catalog/catalog.ts';
import { Modal } from '../../../ui/dialog/modal.tsx';
import { useLoaded } from '../../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../../ui/notices/error-note.tsx';
import { TryTool } from './try-tool.tsx';

/** A tool of a server that was just added, to be called at once. */
export function TryDialog(props: {
  server: ServerView;
  toolName: string;
  onClose: () => void;
}): ReactElement {
  const { server, toolName, onClose } = props;
  const t = useTranslations('servers');
  const { value, error } = useLoaded((signal) => readTools(server.id, signal), server.id);
  const tool = value?.tools.find(({ name }) => name === toolName);
  return (
    <Modal open onClose={onClose} title={t('tryTool', { name: toolName })}>
      {error && <ErrorNote error={error} />}
      {tool && <TryTool server={server} tool={tool} />}
    </Modal>
  );
}
