import { create } from 'zustand';
import { newKey } from '#client/http/key.ts';
import { toErrorInfo } from '#shared/errors/errors.ts';
import { changeAttachment, readDraft, writeDraft } from '../../../state/chat/drafts.ts';
import { type DraftFile } from '../../../state/chat/stored-draft.ts';
import { readLimits } from '../../../state/session/limits.ts';
import { fileType } from '#client/drafts/file-type.ts';
import { uploadFile } from './upload-file.ts';

const atOnce = 3;
const sources = new Map<string, File>();
const previews = new Map<string, string>();
const uploads = new Map<string, AbortController>();
const waiting: string[] = [];

/** How far uploads are, 0 to 1, by the key of the file. */
export const useProgress = create<Record<string, number>>(() => ({}));

/** Whether this page still has the file. */
export function canRetry(key: string): boolean {
  return sources.has(key);
}

/** An address of the file while this page has it. */
export function previewUrl(key: string): string | undefined {
  const file = sources.get(key);
  if (file && !previews.has(key)) previews.set(key, URL.createObjectURL(file));
  return previews.get(key);
}

/** Lets go of files that are sent or taken away. */
export function forgetFiles(keys: string[]): void {
  for (const key of keys) {
    uploads.get(key)?.abort();
    sources.delete(key);
    URL.revokeObjectURL(previews.get(key) ?? '');
    previews.delete(key);
  }
}

/** Attaches files to the unsent message and uploads them; gives how many were left out. */
export function attachFiles(topicId: string | null, files: File[]): number {
  const { attachments } = readDraft(topicId);
  const taken = files.slice(0, Math.max(0, readLimits().filesPerMessage - attachments.length));
  const added = taken.map(toDraftFile);
  writeDraft(topicId, { attachments: [...attachments, ...added] });
  for (const { key, state } of added) if (state === 'uploading') waiting.push(key);
  startNext();
  return files.length - taken.length;
}

/** Uploads a file again whose upload failed. */
export function retryUpload(key: string): void {
  if (!sources.has(key)) return;
  changeAttachment(key, { state: 'uploading', error: undefined });
  waiting.push(key);
  startNext();
}

/** Takes something away from the unsent message; an upload of it ends. */
export function removeAttachment(topicId: string | null, key: string): void {
  const { attachments } = readDraft(topicId);
  writeDraft(topicId, { attachments: attachments.filter((one) => one.key !== key) });
  forgetFiles([key]);
}

function toDraftFile(file: File): DraftFile {
  const key = newKey();
  const problem =
    file.size > readLimits().file ? 'tooLarge' : file.size === 0 ? 'empty' : undefined;
  if (!problem) sources.set(key, file);
  return {
    kind: 'file',
    key,
    name: file.name,
    mimeType: fileType(file),
    size: file.size,
    state: problem ? 'failed' : 'uploading',
    ...(problem && { problem }),
  };
}

function startNext(): void {
  while (uploads.size < atOnce) {
    const key = waiting.shift();
    if (key === undefined) return;
    const file = sources.get(key);
    if (file) void upload(key, file).finally(startNext);
  }
}

async function upload(key: string, file: File): Promise<void> {
  const controller = new AbortController();
  uploads.set(key, controller);
  try {
    const { id, mimeType } = await uploadFile(file, {
      name: file.name,
      mimeType: fileType(file),
      signal: controller.signal,
      onProgress: (ratio) => useProgress.setState({ [key]: ratio }),
    });
    changeAttachment(key, { state: 'ready', id, mimeType, at: Date.now() });
  } catch (error) {
    changeAttachment(key, { state: 'failed', error: toErrorInfo(error) });
  } finally {
    uploads.delete(key);
  }
}
