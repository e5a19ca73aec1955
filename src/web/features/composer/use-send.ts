import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import type { Quote } from '#shared/api/api.ts';
import { readDraft, takeFromDraft, useDraft, writeDraft } from '../../state/chat/drafts.ts';
import { type Draft, type DraftAttachment } from '../../state/chat/stored-draft.ts';
import { showFailure } from '../../ui/notices/notices.ts';
import { forgetFiles } from './attachments/attach-files.ts';
import { filesToSend } from './attachments/resource-files.ts';
import { runCommand } from './commands/commands.ts';
import { useWarnings } from './use-warnings.ts';

/** Hands a message on; resolves when it has arrived or was taken back. */
export type OnSend = (message: {
  text: string;
  /** Ids of what goes with it, and the same as it stood in the draft. */
  files: string[];
  attachments: DraftAttachment[];
  quotes: Quote[];
}) => Promise<void>;

interface Sending {
  /** Sends the draft, or this text in its place. */
  send: (text?: string) => void;
  /** Something is being read before the message can go. */
  sending: boolean;
  canSend: boolean;
  /** What keeps it from going, or what the model will not get of it. */
  hint: string | undefined;
}

/** Sends the unsent message with everything that goes with it; whatever fails, nothing is lost. */
export function useSend(topicId: string | null, onSend: OnSend): Sending {
  const t = useTranslations('composer');
  const [, navigate] = useLocation();
  const draft = useDraft(topicId);
  // By topic, since the reader may go on in another one while this one waits.
  const [waiting, setWaiting] = useState<readonly (string | null)[]>([]);
  const sending = waiting.includes(topicId);
  const warning = useWarnings(topicId, draft.attachments);
  const uploading = draft.attachments.some(({ state }) => state === 'uploading');
  const failed = draft.attachments.some((one) => one.kind === 'file' && one.state === 'failed');
  const isEmpty = draft.text.trim() === '' && draft.attachments.length === 0;
  const canSend = !isEmpty && !uploading && !failed && !sending;

  const readFiles = async (attachments: DraftAttachment[]) => {
    setWaiting((others) => [...others, topicId]);
    return filesToSend(attachments).finally(() =>
      setWaiting((all) => all.filter((one) => one !== topicId)),
    );
  };
  const post = (message: Draft) => {
    deliver(topicId, message, { readFiles, onSend }).catch(showFailure);
  };
  const send = (text?: string) => {
    if (text !== undefined) return post({ text, attachments: [] });
    if (!canSend) return;
    const message = readDraft(topicId);
    const isCommand = message.attachments.length === 0 && runCommand(message.text, navigate);
    if (isCommand) writeDraft(topicId, { text: '' });
    else post(message);
  };
  const wait = uploading ? t('waitForUploads') : failed ? t('failedFiles') : warning;
  return { send, sending, canSend, hint: sending ? t('reading') : wait };
}

/** Reads what goes with a message, sends it, and forgets the files that no draft holds any more. */
async function deliver(
  topicId: string | null,
  message: Draft,
  by: { readFiles: typeof filesToSend; onSend: OnSend },
): Promise<void> {
  const text = message.text.trim();
  const files = await by.readFiles(message.attachments);
  takeFromDraft(topicId, message);
  const quotes = [...(message.quotes ?? []), ...message.attachments.flatMap(quoteOf)];
  await by.onSend({ text, files, attachments: unread(message.attachments), quotes });
  const { attachments } = readDraft(topicId);
  const keys = message.attachments.map(({ key }) => key);
  forgetFiles(keys.filter((key) => !attachments.some((one) => one.key === key)));
}

function quoteOf(attachment: DraftAttachment): Quote[] {
  return attachment.kind === 'resource' ? [{ server: attachment.serverId }] : [];
}

/** What was read for a message that is taken back is read again. */
function unread(attachments: DraftAttachment[]): DraftAttachment[] {
  return attachments.map((one) => (one.kind === 'resource' ? { ...one, state: 'chosen' } : one));
}
