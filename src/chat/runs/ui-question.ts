import { createHash } from 'node:crypto';
import type { Origin } from '#shared/vocabulary/origin.ts';
import { assertFewAddresses } from './brought-messages.ts';
import type { BroughtPart } from './run-request.ts';

/** What a person said in a page that shows a chat. */
export interface UiQuestion {
  /** As the page calls it: what has the same name and the same content is said once. */
  name: string;
  parts: BroughtPart[];
  /** The message before it that is an answer, as the page calls it. */
  after: string | undefined;
  /** It takes the place of a question that was asked before. */
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
  /** A picture at an address that was named. */
  fetchPicture: (url: string) => Promise<{ mimeType: string; bytes: Uint8Array }>;
}

/** The words of a question. */
export function textOf({ parts }: UiQuestion): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** What tells a question from another one of the same name. */
export function fingerprint({ name, parts }: UiQuestion): object {
  return {
    name,
    parts: parts.map((part) =>
      part.type === 'file' ? { ...part, bytes: hashOf(part.bytes) } : part,
    ),
  };
}

/** Keeps the files of a question as uploads, which the message takes or a day ends; resolves to their ids. */
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
    // Somebody else's, whoever named it.
    ids.push(await deps.keepUpload(owner, file, [{ from: 'program' }]));
  }
  return ids;
}

function hashOf(pieces: Uint8Array[]): string {
  const whole = createHash('sha256');
  for (const piece of pieces) whole.update(piece);
  return whole.digest('base64url');
}
