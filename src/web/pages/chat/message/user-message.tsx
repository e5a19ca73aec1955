import { Pencil } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '#shared/vocabulary/message.ts';
import { useSession } from '../../../state/session/session.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { TimeAgo } from '../../../ui/text/time-ago.tsx';
import { BranchSwitcher } from './branch-switcher.tsx';
import { isBeingWorded, MessageEditor } from './message-editor.tsx';
import { MessageMenu } from './message-menu.tsx';
import { QuoteButton } from './quote-button.tsx';
import { SentBlocks } from './sent-blocks.tsx';

/** What the reader wrote: shown as it was typed, with a way to word it anew. */
export function UserMessage({ message }: { message: Message }): ReactElement {
  const t = useTranslations('message');
  const [editing, setEditing] = useEditing(message.id);
  const text = message.blocks.find(({ type }) => type === 'main_text')?.content ?? '';
  if (editing) {
    return (
      <div className="flex flex-col items-end gap-1.5">
        <SentBlocks blocks={message.blocks.filter(({ type }) => type !== 'main_text')} />
        <MessageEditor message={message} text={text} onClose={() => setEditing(false)} />
      </div>
    );
  }
  return (
    <div className="flex flex-col items-end gap-1.5">
      <SentBlocks blocks={message.blocks} />
      <div
        role="group"
        aria-label={t('actions')}
        className="message-actions -mb-3 flex min-h-7 items-center text-xs text-muted"
      >
        <QuestionActions message={message} text={text} onEdit={() => setEditing(true)} />
        <BranchSwitcher message={message} />
      </div>
    </div>
  );
}

interface QuestionActionsProps {
  message: Message;
  text: string;
  onEdit: () => void;
}

/** In sight under the pointer, or where the keys are. */
function QuestionActions({ message, text, onEdit }: QuestionActionsProps) {
  const t = useTranslations('message');
  return (
    <div className="flex items-center transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 has-data-popup-open:opacity-100 pointer-fine:opacity-0">
      <span className="px-1.5">
        <TimeAgo at={message.createdAt} />
      </span>
      {text && <CopyButton text={text} />}
      <IconButton label={t('edit')} size="small" onClick={onEdit}>
        <Pencil />
      </IconButton>
      {text && <QuoteButton messageId={message.id} text={text} />}
      <MessageMenu message={message} hasText={text !== ''} />
    </div>
  );
}

/** Whether it is being worded anew; after a sign-in, what was begun comes back once it is clear whose it is. */
function useEditing(messageId: string) {
  const [editing, setEditing] = useState(() => isBeingWorded(messageId));
  const isKnown = useSession(({ me }) => me !== null);
  const [wasKnown, setWasKnown] = useState(isKnown);
  if (isKnown !== wasKnown) {
    setWasKnown(isKnown);
    if (isKnown && isBeingWorded(messageId)) setEditing(true);
  }
  return [editing, setEditing] as const;
}
