import { ChevronLeft, ChevronRight } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
} from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '#shared/vocabulary/message.ts';
import { useConversation } from '../../../state/chat/conversation.ts';
import { changeTopic } from '../../../state/chat/topics.ts';
import { isPressed } from '../../../state/page/shortcuts.ts';
import { useKeys } from '../../../state/page/use-shortcut.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { showFailure } from '../../../ui/notices/notices.ts';
import { newestLeaf, versionsOf } from './branches.ts';
import { CompareButton } from './compare-button.tsx';

const none: Message[] = [];
/** The version that is to have the focus once it is shown in place of the one that had it. */
let focusNext: string | undefined;

/** Goes through the versions of a message, also by arrow keys; nothing where there is only one. */
export function BranchSwitcher({ message }: { message: Message }): ReactElement | null {
  const messages = useConversation((state) => state.conversation?.messages ?? none);
  const versions = versionsOf(message, messages);
  if (versions.length < 2) return null;
  const index = versions.findIndex(({ id }) => id === message.id);
  const show = (version: Message | undefined) => {
    if (!version) return;
    focusNext = version.id;
    const activeLeafId = newestLeaf(version, messages);
    changeTopic(message.topicId, { activeLeafId }).catch(showFailure);
  };
  return (
    <>
      <Switch
        message={message}
        index={index}
        count={versions.length}
        onShow={(at) => show(versions[at])}
      />
      {message.role === 'assistant' && <CompareButton message={message} />}
    </>
  );
}

interface SwitchProps {
  message: Message;
  index: number;
  count: number;
  onShow: (index: number) => void;
}

function Switch({ message, index, count, onShow }: SwitchProps) {
  const t = useTranslations('message');
  const id = useId();
  const button = { size: 'small', 'aria-describedby': id } as const;
  return (
    <VersionKeys messageId={message.id} onStep={(by) => onShow(index + by)}>
      <IconButton
        label={t('previous')}
        {...button}
        disabled={index === 0}
        onClick={() => onShow(index - 1)}
      >
        <ChevronLeft />
      </IconButton>
      <span
        id={id}
        className="tabular-nums"
        role="img"
        aria-label={t('version', { index: index + 1, count })}
        data-testid="version"
      >
        {index + 1}/{count}
      </span>
      <IconButton
        label={t('next')}
        {...button}
        disabled={index === count - 1}
        onClick={() => onShow(index + 1)}
      >
        <ChevronRight />
      </IconButton>
    </VersionKeys>
  );
}

interface VersionKeysProps {
  messageId: string;
  onStep: (by: 1 | -1) => void;
  children: ReactNode;
}

function VersionKeys({ messageId, onStep, children }: VersionKeysProps) {
  const group = useFocus(messageId);
  useKeys('version');
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isPressed('version', event)) return;
    event.preventDefault();
    onStep(event.key === 'ArrowLeft' ? -1 : 1);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys only spare a way to its buttons
    <span ref={group} className="flex items-center" onKeyDown={onKeyDown}>
      {children}
    </span>
  );
}

/** Each version is a message of its own, so the focus has to be carried over. */
function useFocus(messageId: string) {
  const group = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (focusNext !== messageId) return;
    focusNext = undefined;
    group.current?.querySelector<HTMLButtonElement>('button:enabled')?.focus();
  }, [messageId]);
  return group;
}
