import { CeriseError, toErrorInfo } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import { changeAttachment } from '../../../state/chat/drafts.ts';
import { type DraftResource, type DraftAttachment } from '../../../state/chat/stored-draft.ts';
import { api } from '../../../state/session/api.ts';
import { readLimits } from '../../../state/session/limits.ts';
import { contentsFile } from '#client/drafts/contents-file.ts';
import { uploadFile } from './upload-file.ts';

/**
 * The ids of everything that goes with a message. Resources are read now and kept as files, so that
 * the conversation has what the model saw. Where one fails, it says so on its chip and this throws.
 */
export async function filesToSend(attachments: DraftAttachment[]): Promise<string[]> {
  const found = await Promise.allSettled(
    attachments.map(async (one) =>
      one.kind === 'file' ? (one.id === undefined ? [] : [one.id]) : keepResource(one),
    ),
  );
  const ids = found.flatMap((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
  const limits = readLimits();
  if (ids.length <= limits.filesPerMessage) return ids;
  throw new CeriseError(
    'invalid_request',
    say(
      'resources-many',
    )`A message can have up to ${limits.filesPerMessage} files, but these resources contain ${ids.length}.`,
  );
}

async function keepResource(resource: DraftResource): Promise<string[]> {
  const { key, serverId, uri, name } = resource;
  changeAttachment(key, { state: 'reading', error: undefined });
  try {
    const { contents } = await api.servers.readResource(serverId, uri, AbortSignal.timeout(60_000));
    const files = contents.map((one) => contentsFile(one, name)).filter(({ size }) => size > 0);
    if (files.length === 0)
      throw new CeriseError('not_found', say('resource-empty')`The resource is empty.`, {
        hint: say('resource-empty-hint')`Remove it.`,
      });
    const kept = await Promise.all(
      files.map((file) => uploadFile(file, { name: file.name, mimeType: file.type })),
    );
    changeAttachment(key, { state: 'chosen' });
    return kept.map(({ id }) => id);
  } catch (error) {
    changeAttachment(key, { state: 'failed', error: toErrorInfo(error) });
    throw error;
  }
}
