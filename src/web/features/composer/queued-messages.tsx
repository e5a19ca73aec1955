import { Clock, Pencil, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { newKey } from '#client/http/key.ts';
import type { MediaBlock } from '#shared/vocabulary/block.ts';
import {
  activePath,
  type Conversation,
  isMessageRunning,
  type Message,
} from '#shared/vocabulary/message.ts';
import { useConversation } from '../../state/chat/conversation.ts';
import { giveBack } from '../../state/chat/drafts.ts';
import { quotesOf } from '../../state/chat/quotes.ts';
import { type Draft, type DraftFile } from '../../state/chat/stored-draft.ts';
import { changeTopic } from '../../state/chat/topics.ts';
import { api } from '../../state/session/api.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { useBusy } from '../../ui/hooks/use-busy.ts';

/** A question whose answer waits for the one that runs. */
interface Queued {
  question: Message;
  answer: Message;
}

/** What was sent while an answer runs and has not begun: the last of it can be taken back. */
export function QueuedMessages({ topicId }: { topicId: string | null }): ReactElement | null {
  const t = useTranslations('composer');
  const conversation = useConversation((state) => state.conversation);
  const [busy, act] = useBusy();
  const queued = conversation ? queuedIn(conversation) : [];
  const last = queued.at(-1);
  if (!last || topicId === null) return null;
  const takeBack = (edit: boolean) =>
    void act(async () => {
      await cancel(topicId, last);
      if (edit) giveBack(topicId, draftOf(last.question));
    });
  const button = { size: 'small', disabled: busy } as const;
  return (
    <div
      data-testid="queued"
      role="status"
      className="mx-3 -mb-px flex items-center gap-2 rounded-t-xl border border-line bg-sunken py-0.5 pr-1 pl-3 text-sm text-muted"
    >
      <Clock aria-hidden className="size-3.5 shrink-0" />
      <span className="min-w-0 flex-1 truncate">
        {t('queued', { count: queued.length })}: {textOf(last.question)}
      </span>
      <IconButton label={t('editQueued')} {...button} onClick={() => takeBack(true)}>
        <Pencil />
      </IconButton>
      <IconButton label={t('cancelQueued')} {...button} onClick={() => takeBack(false)}>
        <X />
      </IconButton>
    </div>
  );
}

/** Questions on the shown branch whose answers have not begun, behind one that runs. */
function queuedIn(conversation: Conversation): Queued[] {
  const path = activePath(conversation);
  const running = path.findIndex(isMessageRunning);
  return path.flatMap((answer, index): Queued[] => {
    const question = path[index - 1];
    const waits = running >= 0 && index > running && isMessageRunning(answer);
    if (!waits || question?.role !== 'user' || answer.blocks.length > 0) return [];
    return [{ question, answer }];
  });
}

/** The answer is stopped before it began, and the branch ends again where it did before. */
async function cancel(topicId: string, { question, answer }: Queued): Promise<void> {
  await api.messages.stop(answer.id);
  const now = useConversation.getState().conversation;
  const begun = now?.messages.some(({ id, blocks }) => id === answer.id && blocks.length > 0);
  const isLast = now?.topic.activeLeafId === answer.id;
  if (question.parentId === null || begun || !isLast) return;
  await changeTopic(topicId, { activeLeafId: question.parentId });
}

function draftOf(question: Message): Draft {
  const files = question.blocks.filter(
    (block): block is MediaBlock => 'stored' in block && block.stored !== undefined,
  );
  const attachments = files.flatMap(fileOf);
  return { text: textOf(question), attachments, quotes: quotesOf(question) };
}

/** A file of a message can be sent again by its id. */
function fileOf({ name = '', mimeType = '', stored }: MediaBlock): DraftFile[] {
  if (!stored) return [];
  const { id, size } = stored;
  const at = Date.now();
  return [{ kind: 'file', key: newKey(), name, mimeType, size, id, at, state: 'ready' }];
}

function textOf({ blocks }: Message): string {
  return blocks.find(({ type }) => type === 'main_text')?.content ?? '';
}
