import type { Quote } from '#shared/api/api.ts';
import type { ErrorInfo } from '#shared/errors/errors.ts';
import { readLimits } from '../session/limits.ts';

/** A stored draft; what is no draft of ours is taken as the text it is. */
export function parseDraft(stored: string): Draft {
  try {
    const value = JSON.parse(stored) as Partial<Draft> | null;
    if (typeof value?.text === 'string' && Array.isArray(value.attachments))
      return {
        text: value.text,
        attachments: value.attachments.filter(isAttachment),
        ...(Array.isArray(value.quotes) && { quotes: value.quotes }),
      };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { text: stored, attachments: [] };
}

function isAttachment(value: Partial<DraftAttachment> | null): value is DraftAttachment {
  const { kind, key, name } = value ?? {};
  return (
    (kind === 'file' || kind === 'resource') && typeof key === 'string' && typeof name === 'string'
  );
}

/** What a page that was left had begun is not going on; what the host has dropped is gone. */
export function revive(attachment: DraftAttachment): DraftAttachment {
  if (attachment.kind === 'resource')
    return attachment.state === 'reading' ? { ...attachment, state: 'chosen' } : attachment;
  const lost = (problem: 'interrupted' | 'expired'): DraftFile => ({
    ...attachment,
    state: 'failed',
    problem,
  });
  if (attachment.state === 'uploading') return lost('interrupted');
  const age = Date.now() - (attachment.at ?? 0);
  const isOld = attachment.state === 'ready' && age > readLimits().unsentFileTime * 0.95;
  return isOld ? lost('expired') : attachment;
}

/** A message that is not sent yet. */
export interface Draft {
  text: string;
  attachments: DraftAttachment[];
  /** Whose words were taken over into it. */
  quotes?: Quote[];
}

/** What goes with the text of a message. */
export type DraftAttachment = DraftFile | DraftResource;

/** A file that goes with the message; once it is `ready` the host keeps it under its id. */
export interface DraftFile {
  kind: 'file';
  key: string;
  name: string;
  mimeType: string;
  size: number;
  state: 'uploading' | 'ready' | 'failed';
  id?: string;
  /** When it was uploaded. */
  at?: number;
  /** Why it cannot go, where the page itself knows. */
  problem?: 'tooLarge' | 'empty' | 'interrupted' | 'expired';
  error?: ErrorInfo | undefined;
}

/** Something of a server that is read when the message is sent. */
export interface DraftResource {
  kind: 'resource';
  key: string;
  serverId: string;
  serverName: string;
  uri: string;
  name: string;
  mimeType?: string;
  state: 'chosen' | 'reading' | 'failed';
  error?: ErrorInfo | undefined;
}
