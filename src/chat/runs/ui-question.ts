import { createHash } from 'node:crypto';
import type { Origin } from '#shared/vocabulary/origin.ts';
import { assertFewAddresses } from './brought-messages.ts';
import type { BroughtPart } from './run-request.ts';

/** A person's question in a page that shows a chat. */
export interface UiQuestion {
  /** The page's id for it: a question with the same id and content is asked once. */
  name: string;
  parts: BroughtPart[];
  /** The page's id of the answer before it. */
  after: string | undefined;
  /** It replaces an earlier question. */
  isEdit: boolean;
}

/** Where the files of questions go. */
export interface UiFilesDeps {
  /** Keeps an upload while there is room for it; resolves to its id. */
  keepUpload: (
    owner: string,
    file: Extract<BroughtPart, { type: 'file' }>,
    origins?: Origin[],
  ) => Promise<string>;
  /** An image at a URL. */
  fetchPicture: (url: string) => Promise<{ mimeType: string; bytes: Uint8Array }>;
}

/** The text of a question. */
export function textOf({ parts }: UiQuestion): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Tells a question from another one with the same id. */
export function fingerprint({ name, parts }: UiQuestion): object {
  return {
    name,
    parts: parts.map((part) =>
      part.type === 'file' ? { ...part, bytes: hashOf(part.bytes) } : part,
    ),
  };
}

/** Stores the files of a question as uploads, which the message takes within a day; resolves to their ids. */
export async function keepFiles(
  deps: UiFilesDeps,
  owner: string,
  { parts }: UiQuestion,
): Promise<string[]> {
  assertFewAddresses(parts);
  const ids: string[] = [];
  for (const part of parts) {
    if (part.type === 'stored') ids.push(part.id);
    if (part.type === 'file') ids.push(await deps.keepUpload(owner, part));
    if (part.type !== 'address') continue;
    const { mimeType, bytes } = await deps.fetchPicture(part.url);
    const file = { type: 'file' as const, mimeType, bytes: [bytes] };
    // Someone else's, whoever named its URL.
    ids.push(await deps.keepUpload(owner, file, [{ from: 'program' }]));
  }
  return ids;
}

function hashOf(pieces: Uint8Array[]): string {
  const whole = createHash('sha256');
  for (const piece of pieces) whole.update(piece);
  return whole.digest('base64url');
}
