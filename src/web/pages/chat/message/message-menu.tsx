import { Menu } from '@base-ui/react/menu';
import { Ellipsis, GitFork, Split, Trash2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import type { Message } from '#shared/vocabulary/message.ts';
import { lazyPart, Part } from '../../../features/loading/part.tsx';
import { forkTopic } from '../../../state/chat/topics.ts';
import { MenuAction } from '../../../ui/controls/menu-action.tsx';
import { MenuPopup } from '../../../ui/controls/menu-popup.tsx';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { useIsMounted } from '../../../ui/hooks/use-submit.ts';
import { DeleteMessage } from './delete-message.tsx';
import { TranslateEntry } from './translate-entry.tsx';

/** Read when it is first opened. */
const BranchDialog = lazyPart(
  async () => (await import('../../../features/versions/branch-dialog.tsx')).BranchDialog,
);

interface MessageMenuProps {
  message: Message;
  /** Without words there is nothing to translate. */
  hasText: boolean;
}

/** What is done with a message now and then, with the dialogs that some of it opens. */
export function MessageMenu({ message, hasText }: MessageMenuProps): ReactElement {
  const t = useTranslations('message');
  const versions = useTranslations('versions');
  const [dialog, setDialog] = useState<'branch' | 'delete'>();
  const [isForking, fork] = useFork(message.id);
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu.Root>
        <MoreButton isBusy={isForking} />
        <MenuPopup className="w-56" testId="message-menu-entries">
          {hasText && <TranslateEntry message={message} />}
          {message.role === 'assistant' && (
            <MenuAction icon={<Split />} testId="branch" onClick={() => setDialog('branch')}>
              {versions('branch')}
            </MenuAction>
          )}
          <MenuAction icon={<GitFork />} testId="fork" onClick={fork}>
            {t('fork')}
          </MenuAction>
          <Menu.Separator className="my-1.5 h-px bg-line" />
          <MenuAction
            icon={<Trash2 />}
            danger
            testId="delete-message"
            onClick={() => setDialog('delete')}
          >
            {t('delete')}
          </MenuAction>
        </MenuPopup>
      </Menu.Root>
      <Part>{dialog === 'branch' && <BranchDialog message={message} onClose={close} />}</Part>
      {dialog === 'delete' && <DeleteMessage message={message} onClose={close} />}
    </>
  );
}

function MoreButton({ isBusy }: { isBusy: boolean }) {
  const t = useTranslations('message');
  return (
    <Menu.Trigger
      aria-label={t('more')}
      title={t('more')}
      aria-busy={isBusy}
      data-testid="message-menu"
      className="icon-button size-7 [&_svg]:size-3.5"
    >
      <Ellipsis className={isBusy ? 'animate-pulse' : undefined} />
    </Menu.Trigger>
  );
}

/** Copies the conversation up to a message into a new one, and goes there unless the reader has left. */
function useFork(messageId: string) {
  const [, navigate] = useLocation();
  const [isBusy, act] = useBusy();
  const isMounted = useIsMounted();
  const fork = async () => {
    const { id } = await forkTopic(messageId);
    if (isMounted()) navigate(`/t/${id}`);
  };
  return [isBusy, () => void (isBusy || act(fork))] as const;
}
