import { recordedStreams, toSse } from '../fakes/wire-oracle.ts';

/** A recorded stream of a vendor, where the recordings are beside the project. */
export interface Recorded {
  name: string;
  /** The folder: which protocol it is. */
  vendor: string;
  /** The kind of provider that is spoken to like that. */
  kind: string;
  events: unknown[];
}

const folders = ['openai-chat', 'openai-responses', 'anthropic', 'google'];

/** All there are; none where the folder is missing, with one visible line. */
export function allRecorded(): Recorded[] {
  return folders.flatMap((vendor) =>
    recordedStreams(vendor).map(([file, events]) => ({
      name: `${vendor}/${file}`,
      vendor,
      kind: kindOf(vendor, file),
      events,
    })),
  );
}

/** A stream as its vendor sends it. */
export function bytesOf(vendor: string, events: readonly unknown[]): Buffer {
  return Buffer.from(`${toSse(events)}${vendor === 'openai-chat' ? 'data: [DONE]\n\n' : ''}`);
}

/** An answer that says “Done.” and counts no tokens, for the round after a call. */
export function farewell(vendor: string): Buffer {
  return bytesOf(vendor, farewells[vendor] ?? []);
}

const farewells: Record<string, unknown[]> = {
  'openai-chat': [{ choices: [{ delta: { content: 'Done.' }, finish_reason: 'stop' }] }],
  'openai-responses': [
    { type: 'response.output_text.delta', output_index: 0, delta: 'Done.' },
    { type: 'response.completed', response: {} },
  ],
  anthropic: [
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ],
  google: [{ candidates: [{ content: { parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }] }],
};

function kindOf(vendor: string, file: string): string {
  if (vendor === 'openai-responses') return 'openai';
  const maker = file.split('-')[0] ?? '';
  return vendor === 'openai-chat' && maker !== 'openai' ? maker : vendor;
}
