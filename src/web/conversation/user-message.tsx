import { Pencil } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '#shared/message.ts';
import { BlockView } from '../blocks/block-view.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { BranchSwitcher } from './branch-switcher.tsx';
import { MessageEditor } from './message-editor.tsx';

/** What the reader wrote: shown as it was typed, with a way to word it anew. */
export function UserMessage({ message }: { message: Message }): ReactElement {
  const t = useTranslations('message');
  const [editing, setEditing] = useState(false);
  const text = message.blocks.find(({ type }) => type === 'main_text')?.content ?? '';
  if (editing) {
    return <MessageEditor message={message} text={text} onClose={() => setEditing(false)} />;
  }
  return (
    <div className="flex flex-col items-end gap-1.5">
      {message.blocks.map((block) =>
        block.type === 'main_text' ? (
          <div
            key={block.id}
            data-testid="block"
            data-type={block.type}
            data-status={block.status}
            data-ordinal={block.ordinal}
            data-length={block.content.length}
            className="user-text"
          >
            {block.content}
          </div>
        ) : (
          <BlockView key={block.id} block={block} />
        ),
      )}
      <div className="-mb-3 flex h-7 items-center text-xs text-muted transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 sm:opacity-0">
        <BranchSwitcher message={message} />
        <CopyButton text={text} />
        <IconButton label={t('edit')} size="small" onClick={() => setEditing(true)}>
          <Pencil />
        </IconButton>
      </div>
    </div>
  );
}
