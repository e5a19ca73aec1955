import type { Host } from '#chat/host/host.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Message } from '#shared/vocabulary/message.ts';

/** The image data of one answer: clients expect it inside the answer, Cerise stores it separately. */
export class MadeImages {
  readonly #blobs: Host['blobs'];
  readonly #owner: string;
  /** Base64, by the id of the file. */
  readonly #loaded = new Map<string, string | undefined>();

  constructor({ blobs }: Pick<Host, 'blobs'>, owner: string) {
    this.#blobs = blobs;
    this.#owner = owner;
  }

  /** Whether an answer has pictures that were not loaded yet. */
  areMissing({ blocks }: Message): boolean {
    return blocks.some((block) => this.#missing(block) !== undefined);
  }

  /** Loads the missing images; one that no longer exists stays without its data. */
  async load({ blocks }: Message): Promise<void> {
    for (const block of blocks) {
      const id = this.#missing(block);
      if (id === undefined) continue;
      const blob = await this.#blobs.find(this.#owner, id);
      const bytes = blob && (await this.#blobs.read(blob));
      this.#loaded.set(id, bytes && Buffer.from(bytes).toString('base64'));
    }
  }

  /** An answer with the bytes of its pictures. */
  in(answer: Message): Message {
    if (this.#loaded.size === 0) return answer;
    return { ...answer, blocks: answer.blocks.map((block) => this.#withBytes(block)) };
  }

  #missing(block: Block): string | undefined {
    if (block.type !== 'image' || !block.stored) return undefined;
    return this.#loaded.has(block.stored.id) ? undefined : block.stored.id;
  }

  #withBytes(block: Block): Block {
    const data = block.type === 'image' && block.stored && this.#loaded.get(block.stored.id);
    return data ? { ...block, data } : block;
  }
}
