import { fromBase64 } from '#client/drafts/base64.ts';
import { contentsFile } from '#client/drafts/contents-file.ts';
import type { Client } from '#client/client.ts';
import type { MessageBody } from '#client/api/messages.ts';
import { CeriseError } from '#shared/errors/errors.ts';
import { say } from '#shared/errors/sentence.ts';
import type { AcpContent } from './acp-schema.ts';

/** A prompt as a message: its files are uploaded, links are part of the text. */
export async function toMessageBody(
  client: Pick<Client, 'files'>,
  prompt: readonly AcpContent[],
): Promise<MessageBody> {
  const words: string[] = [];
  const files: string[] = [];
  for (const part of prompt) {
    if (part.type === 'text') words.push(part.text);
    else if (part.type === 'resource_link') words.push(`[${part.name}](${part.uri})`);
    else {
      const file = toFile(part);
      files.push((await client.files.upload(file, file.name)).id);
    }
  }
  return { text: words.join('\n'), ...(files.length > 0 && { files }) };
}

function toFile(part: Extract<AcpContent, { type: 'image' | 'audio' | 'resource' }>): File {
  try {
    if (part.type !== 'resource')
      return new File([fromBase64(part.data)], part.type, { type: part.mimeType });
    const { mimeType, ...resource } = part.resource;
    return contentsFile({ ...resource, ...(mimeType && { mimeType }) }, 'file');
  } catch (cause) {
    throw new CeriseError(
      'invalid_request',
      say('cli-acp-bad-data')`A file of this message isn't valid base64.`,
      { cause },
    );
  }
}
